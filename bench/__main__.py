"""The command line of the benchmark: `python -m bench [run|bars|counts|data] ...`.

Owns the arguments and the exit status: 0 all well, 1 a wrong result or a count above its limit,
2 a question that cannot be answered (unknown name, no counts kept, no valgrind). Without a command
it runs everything. `cell` is for the processes the benchmark starts itself.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import bars, counts, data, libraries, memory, report, run
from bench.operations import OPERATIONS

# Names that stand for several operations.
_GROUPS = {
    "small": tuple(name for name in OPERATIONS if name.startswith("small-")),
    "dict": tuple(name for name in OPERATIONS if name.startswith("dict-")),
    "typed": tuple(name for name in OPERATIONS if name.startswith("typed-")),
    "all": (*OPERATIONS, *memory.MEASURES),
}
_QUICK_DATASETS = ("github", "catalogue", "users-200", "small-80", "small-1k", "twitter")
_COMMANDS = ("run", "bars", "counts", "data", "cell")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] not in (*_COMMANDS, "-h", "--help"):
        words.insert(0, "run")
    if words[0] == "cell":
        print(json.dumps(run.perform(run.task_from(words[1]))))
        return 0
    options = _parser().parse_args(words)
    if options.command == "counts":
        return _counts(options)
    if options.command == "bars":
        return _bars(options)
    if options.command == "data":
        return _data(options)
    return _run(options)


def _names(allowed: Sequence[str], what: str) -> Callable[[str], list[str]]:
    """An argparse type: one name or several with commas between."""

    def names(text: str) -> list[str]:
        found = [name.strip() for name in text.split(",") if name.strip()]
        for name in found:
            if name not in allowed:
                raise argparse.ArgumentTypeError(
                    f"no {what} is called `{name}`; there are {', '.join(allowed)}"
                )
        return found

    return names


def _parser() -> argparse.ArgumentParser:
    operations = _names((*OPERATIONS, *memory.MEASURES, *_GROUPS), "operation")
    datasets = _names(data.NAMES, "data set")
    names = _names(libraries.NAMES, "library")
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True, metavar="run|bars|counts|data")

    one = commands.add_parser("run", help="measure, print Markdown, write report.md, results.json")
    one.add_argument("--again", choices=libraries.NAMES, help="measure this one twice: the noise")
    four = commands.add_parser("bars", help="judge what octad is held to, write bars.md, bars.json")
    for parser_of in (one, four):
        add = parser_of.add_argument
        add("--op", action="extend", type=operations, help="operations or groups of them")
        add("--file", action="extend", type=datasets, help="data sets")
        add("--lib", action="extend", type=names, help="libraries")
        add("--rounds", type=int, help="most rounds per cell")
        add("--seconds", type=float, help="about the time per cell")
        add("--out", type=Path, default=data.ROOT / "bench" / "results", metavar="DIR")
        add("--quick", action="store_true", help="few rounds, small data: does it work?")

    two = commands.add_parser("counts", help="compare instruction counts with the kept ones")
    two.add_argument("--update", action="store_true", help="keep the new counts")
    two.add_argument("--op", action="extend", type=operations, help="operations")
    two.add_argument("--file", action="extend", type=datasets, help="data sets")
    two.add_argument("--lib", choices=libraries.NAMES, default="octad")
    two.add_argument("--kept", type=Path, default=counts.KEPT, metavar="FILE")

    three = commands.add_parser("data", help="list the data sets")
    three.add_argument("--out", type=Path, metavar="DIR", help="write the generated ones there")
    return parser


def _operations(given: list[str] | None) -> list[str]:
    found: list[str] = []
    for name in given or ["all"]:
        found += [one for one in _GROUPS.get(name, (name,)) if one not in found]
    return found


def _effort(options: argparse.Namespace) -> run.Effort:
    usual = run.QUICK if options.quick else run.Effort()
    return run.Effort(
        rounds=usual.rounds if options.rounds is None else max(1, options.rounds),
        seconds=usual.seconds if options.seconds is None else options.seconds,
        sample_ms=usual.sample_ms,
    )


def _bars(options: argparse.Namespace) -> int:
    operations = None if options.op is None else _operations(options.op)
    datasets = options.file or (_QUICK_DATASETS if options.quick else None)
    wanted = bars.chosen(operations, datasets)
    if not wanted:
        print("no bar is set for these operations on these data sets", file=sys.stderr)
        return 2
    effort = _effort(options)
    machine = report.describe(effort)
    cells = list(run.run(bars.tasks(wanted, options.lib, effort)))
    text = (
        report.heading("octad against its bars", machine)
        + "\n"
        + bars.markdown(bars.judged(wanted, cells))
    )
    print(text)
    for path in report.write(options.out, machine, cells, text, name="bars"):
        print(f"wrote {path}", file=sys.stderr)
    return _mismatches(cells)


def _run(options: argparse.Namespace) -> int:
    effort = _effort(options)
    datasets = options.file or (_QUICK_DATASETS if options.quick else None)
    wanted = run.tasks(
        _operations(options.op),
        datasets,
        options.lib or libraries.NAMES,
        effort,
        options.again,
    )
    if not wanted:
        print("none of these operations runs on these data sets", file=sys.stderr)
        return 2
    machine = report.describe(effort)
    cells = list(run.run(wanted))
    text = report.markdown(machine, cells)
    print(text)
    for path in report.write(options.out, machine, cells, text):
        print(f"wrote {path}", file=sys.stderr)
    return _mismatches(cells)


def _mismatches(cells: Sequence[dict[str, Any]]) -> int:
    wrong = run.mismatches(cells)
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    return 1 if wrong else 0


def _counts(options: argparse.Namespace) -> int:
    operations = None if options.op is None else _operations(options.op)
    try:
        calls_of = counts.chosen(operations, options.file)
        counted = counts.count(calls_of, options.lib)
        kept = counts.read(options.kept)
        if options.update:
            counts.write(options.kept, counts.merged(kept, counted))
            print(f"kept {len(counted)} counts in {options.kept.name}")
            return 0
        lines, status = counts.compare(kept, counted, calls_of)
    except counts.CannotCountError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(lines))
    return status


def _data(options: argparse.Namespace) -> int:
    for name in data.NAMES:
        try:
            found = data.load(name)
        except data.MissingDataError as error:
            print(f"{name:18} absent: {error}")
            continue
        print(f"{name:18} {len(found.text):>12,} bytes  sha256 {found.sha256}")
    if options.out is not None:
        for path in data.write_generated(options.out):
            print(f"wrote {path}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
