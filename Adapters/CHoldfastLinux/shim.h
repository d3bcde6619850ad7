#ifndef HOLDFAST_LINUX_SHIM_H
#define HOLDFAST_LINUX_SHIM_H

/* What Swift's own view of the C library leaves out. */
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/eventfd.h>
#include <sys/random.h>

#endif
