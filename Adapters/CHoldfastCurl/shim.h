#ifndef HOLDFAST_CURL_SHIM_H
#define HOLDFAST_CURL_SHIM_H

#include <curl/curl.h>

#endif
