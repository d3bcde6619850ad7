#ifndef HOLDFAST_OPENSSL_SHIM_H
#define HOLDFAST_OPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/evp.h>

#endif
