"""Beside the documents: how well words are understood; times stand under `times`."""

from __future__ import annotations

from collections.abc import Iterator

from ..row import NOTHING, Results, Row, figure

CONVERSATIONS, REQUESTS, THROUGHPUT = (
    "understand-conversations",
    "understand-requests",
    "throughput",
)
STATES = {
    "joint_goal_accuracy": "joint goal accuracy (%)",
    "slot_precision": "slot precision (%)",
    "slot_recall": "slot recall (%)",
    "act_f1": "F1 of acts (%)",
}
SHARES = {"constraints_right": "constraints right (%)", "fully_right": "fully right (%)"}


def rows(results: Results) -> Iterator[Row]:
    """Yield the rows of conversations, requests and times."""
    yield from _conversations(results)
    yield from _requests(results)
    compared = "times differ from run to run: they stand under times, and no other answer differed"
    yield Row(
        "Throughput",
        "quick",
        "repairs beside other tools",
        reason=results.why(THROUGHPUT) or compared,
        command=results.command(THROUGHPUT),
    )


def _conversations(results: Results) -> Iterator[Row]:
    found = results.of(CONVERSATIONS)
    for measure, words in STATES.items():
        size = "" if found is None else f"{found['turns']:,} turns; "
        yield Row(
            "Schema-Guided Dialogue",
            "conversations",
            words,
            ours=figure(None if found is None else found[measure]),
            reason=results.why(CONVERSATIONS) or f"{size}the weights that ship are fitted on them",
            command=results.command(CONVERSATIONS),
        )


def _requests(results: Results) -> Iterator[Row]:
    overall = (results.of(REQUESTS) or {}).get("overall")
    for measure, words in SHARES.items():
        share = None if overall is None else overall[measure]
        yield Row(
            "Requests",
            "held out",
            words,
            ours=NOTHING if share is None else figure(share["share"], share["interval"], 100),
            reason=results.why(REQUESTS) or f"{share['of'] if share else 0} requests of our own",
            command=results.command(REQUESTS),
        )
    ends = None if overall is None else overall["f1_interval"]
    yield Row(
        "Requests",
        "held out",
        "F1 of wishes (%)",
        ours=NOTHING if overall is None else figure(overall["f1"], ends, 100),
        reason=results.why(REQUESTS) or "requests of our own",
        command=results.command(REQUESTS),
    )
