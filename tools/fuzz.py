"""`make fuzz`: runs the targets of `fuzz/` for some seconds in total.

With cargo-fuzz and a nightly toolchain present it uses them (coverage-guided, with the address
sanitizer); else the runner of the fuzz crate, which stable Rust builds, runs the same targets.
"""

from __future__ import annotations

import argparse
import re
import subprocess

from pythons import ROOT, run

FUZZ = ROOT / "fuzz"


def works(*command: str) -> bool:
    """Whether a command is there and runs."""
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def targets() -> list[str]:
    """The targets that cargo-fuzz can run."""
    return re.findall(r'path = "fuzz_targets/(\w+)\.rs"', (FUZZ / "Cargo.toml").read_text())


def main() -> None:
    """Reads the number of seconds and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for all targets together")
    seconds = parser.parse_args().seconds
    if works("cargo", "+nightly", "--version") and works("cargo", "fuzz", "--version"):
        share = max(1, seconds // len(targets()))
        for target in targets():
            command = ["cargo", "+nightly", "fuzz", "run", "--features", "libfuzzer", target]
            run([*command, "--", f"-max_total_time={share}", "-timeout=20"])
        print(f"fuzz: {len(targets())} passed, 0 failed")
        return
    manifest = ["--manifest-path", str(FUZZ / "Cargo.toml")]
    run(["cargo", "run", "--quiet", "--release", *manifest, "--", "--seconds", str(seconds)])


if __name__ == "__main__":
    main()
