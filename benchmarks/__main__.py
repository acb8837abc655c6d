"""Run every benchmark: ratios within one run, each beside its goal."""

import os
import subprocess
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

from benchmarks import (
    bench_api,
    bench_audit,
    bench_audit_removal,
    bench_audit_size,
    bench_globs,
    bench_http,
    bench_imports,
    bench_peers,
    bench_replay,
    bench_sealed,
    bench_selection,
)

PARTS = {
    "selection": bench_selection.main,
    "peers": bench_peers.main,
    "globs": bench_globs.main,
    "pages": bench_http.main,
    "sealed": bench_sealed.main,
    "api": bench_api.main,
    "imports": bench_imports.main,
    "replays": bench_replay.main,
    "audit": bench_audit.main,
    "audit-size": bench_audit_size.main,
    "audit-removal": bench_audit_removal.main,
}


def main() -> int:
    """Run the parts named on the command line, or all; 1 when a goal is missed.

    Each of several runs in a process of its own: what one leaves in memory is nothing to the next.
    """
    wanted = sys.argv[1:] or list(PARTS)
    if len(wanted) > 1:
        return max(map(_apart, wanted))
    print(f"--- {wanted[0]}", flush=True)
    return PARTS[wanted[0]]()


def _apart(name: str) -> int:
    return subprocess.run([sys.executable, "-m", "benchmarks", name], check=False).returncode  # noqa: S603 - ourselves


if __name__ == "__main__":
    sys.exit(main())
