"""The process of `SubprocessSandbox`: set limits, then run the program; standard library only.

Started as a file with -I -S and an empty environment; reads one JSON object from standard input
and writes one to standard output. After the limits are set no file, socket or pipe can be
opened: the process may hold no further descriptor.
"""

import ast
import builtins
import json
import resource
import sys
from typing import Any

SAFE = (
    "abs all any bool dict enumerate float int isinstance KeyError len list max min range round "
    "set sorted str sum tuple"
).split()


def limit(kind: int, value: int) -> None:
    """Lower a limit for good."""
    resource.setrlimit(kind, (value, value))


def main() -> None:
    """Run the program given."""
    request = json.load(sys.stdin)
    inputs = request["inputs"]
    names = {name: getattr(builtins, name) for name in SAFE}
    tree = ast.parse(request["source"])
    last = tree.body.pop()
    body = compile(tree, "program", "exec")
    value = compile(ast.Expression(last.value), "program", "eval")  # type: ignore[attr-defined]
    sys.setrecursionlimit(request["depth"] + 50)
    limit(resource.RLIMIT_AS, request["memory_bytes"] + 200_000_000)
    limit(resource.RLIMIT_CPU, max(1, int(request["seconds"] + 0.999)))
    limit(resource.RLIMIT_FSIZE, 0)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NPROC, 0)
    limit(resource.RLIMIT_NOFILE, 3)
    space: dict[str, Any] = {"__builtins__": names, **inputs}
    try:
        exec(body, space)
        reply = {"value": eval(value, space)}
        text = json.dumps(reply, allow_nan=False)
    except BaseException as error:
        text = json.dumps({"error": f"{type(error).__name__}: {error}"[:500]})
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
