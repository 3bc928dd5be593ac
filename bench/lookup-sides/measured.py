"""What a side says of itself: rows, requests, wall, CPU of all its processes."""
import json
import os
import resource
import time


def process_start():
    """Seconds since the process began, interpreter and imports included."""
    try:
        with open("/proc/self/stat") as stat:
            ticks = int(stat.read().rsplit(") ", 1)[1].split()[19])
        with open("/proc/uptime") as uptime:
            return float(uptime.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.perf_counter()


def report(rows, requests):
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "rows": rows,
                "requests": requests,
                "wall_seconds": process_start(),
                "cpu_seconds": own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
                "rss_mb": own.ru_maxrss / 1000,
            }
        )
    )
