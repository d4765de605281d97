"""Benchmarks of octad against the JSON libraries a user would choose instead.

Run as `python -m bench` from the root of the repository; `bench/README.md` has every command.
The package is not installed with octad and imports no peer until one is asked for.
"""
