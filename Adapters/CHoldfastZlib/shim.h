#ifndef HOLDFAST_ZLIB_SHIM_H
#define HOLDFAST_ZLIB_SHIM_H

#include <zlib.h>

#endif
