#include "baseline.h"

#include <time.h>

static int64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t baseline_now(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t baseline_thread_time(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

int64_t baseline_process_time(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
