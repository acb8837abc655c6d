"""Run every benchmark: ratios within one run, each beside its goal."""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from benchmarks import bench_api, bench_globs, bench_http, bench_peers, bench_sealed, bench_selection

PARTS = {
    "selection": bench_selection.main,
    "peers": bench_peers.main,
    "globs": bench_globs.main,
    "pages": bench_http.main,
    "sealed": bench_sealed.main,
    "api": bench_api.main,
}


def main() -> int:
    """Run the parts named on the command line, or all; 1 when a goal is missed."""
    wanted = sys.argv[1:] or list(PARTS)
    missed = 0
    for name in wanted:
        print(f"--- {name}", flush=True)
        missed |= PARTS[name]()
    return missed


if __name__ == "__main__":
    sys.exit(main())
