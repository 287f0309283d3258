"""Runs a program that the kernel denies some system calls: deny.py ERROR "CALL…" PROGRAM ARGUMENTS…"""

import errno
import os
import sys

import seccomp

denied = seccomp.SyscallFilter(seccomp.ALLOW)
for call in sys.argv[2].split():
    denied.add_rule(seccomp.ERRNO(getattr(errno, sys.argv[1])), call)
denied.load()
os.execv(sys.argv[3], sys.argv[3:])
