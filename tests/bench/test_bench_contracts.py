"""The model whose compilation is timed is what it says."""

from __future__ import annotations

from octad._contract import compile_type

from bench import contracts


def test_model_has_so_many_classes_in_one_plan() -> None:
    nodes = compile_type(contracts.model(20))
    assert sum(node[0] == "record" for node in nodes) == 20
    seconds, count = contracts.measure(5, rounds=1)
    assert seconds >= 0
    assert count < len(nodes)
