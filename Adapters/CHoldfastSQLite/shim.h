#ifndef HOLDFAST_SQLITE_SHIM_H
#define HOLDFAST_SQLITE_SHIM_H

#include <sqlite3.h>

#endif
