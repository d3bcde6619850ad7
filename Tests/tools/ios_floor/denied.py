"""What Linux has and iOS lacks, so that no availability attribute tells.

The names come from Apple's documentation ("macOS" alone under *Availability*) and from Linux's own manual pages.
"""

import re

from swift_text import code_only, on_ios

MODULES = {"Glibc", "Musl", "FoundationNetworking", "FoundationXML", "FoundationEssentials",
           "FoundationInternationalization", "Synchronization", "Testing"}
TYPES = {"Process", "Host", "XMLDocument", "XMLElement", "XMLNode", "XMLDTD", "XMLDTDNode", "NSAppleScript",
         "NSUserScriptTask", "NSUserUnixTask", "DistributedNotificationCenter", "NSSpellServer", "ProcessInfoActivity"}
MEMBERS = {"homeDirectoryForCurrentUser", "homeDirectory", "launchedProcess", "terminationStatus",
           "availableStringEncodingNames"}
FUNCTIONS = {
    # not in Darwin at all
    "epoll_create1", "epoll_ctl", "epoll_wait", "eventfd", "inotify_init1", "inotify_add_watch", "timerfd_create",
    "signalfd", "prctl", "gettid", "getrandom", "memfd_create", "renameat2", "fallocate", "posix_fallocate", "fdatasync",
    "pipe2", "accept4", "dup3", "mremap", "sched_getaffinity", "statx", "syncfs", "explicit_bzero", "secure_getenv",
    # in Darwin, but not for Swift on iOS
    "fork", "vfork", "execv", "execve", "execvp", "system", "posix_spawn", "popen",
}
CONSTANTS = {"CLOCK_BOOTTIME", "CLOCK_MONOTONIC_COARSE", "CLOCK_REALTIME_COARSE", "O_TMPFILE", "O_PATH", "SOCK_CLOEXEC",
             "SOCK_NONBLOCK", "MSG_NOSIGNAL", "AF_NETLINK", "EPOLLIN"}

IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+|\w+\s+)*import\s+(?:\w+\s+)?(\w+)", re.MULTILINE)
NAMES = re.compile(
    r"(?<![\w.])(?P<type>" + "|".join(sorted(TYPES)) + r")\s*[(.]"
    r"|\.(?P<member>" + "|".join(sorted(MEMBERS)) + r")\b"
    r"|(?<![\w.`])(?<!func )(?P<function>" + "|".join(sorted(FUNCTIONS)) + r")\s*\("
    r"|(?<![\w.])(?P<constant>" + "|".join(sorted(CONSTANTS)) + r")\b")


def check(text):
    """The line number and name of each thing that iOS lacks, outside what is not built there."""
    code = on_ios(code_only(text))
    found = [(match.start(1), f"iOS has no module {match.group(1)}")
             for match in IMPORT.finditer(code) if match.group(1) in MODULES]
    found += [(match.start(), f"iOS has no {match.group(match.lastgroup)}") for match in NAMES.finditer(code)]
    return [(code.count("\n", 0, position) + 1, what) for position, what in sorted(found)]
