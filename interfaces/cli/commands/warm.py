"""`concede warm`: compile what large catalogs are read by, for images and CI."""

from __future__ import annotations

import rich_click as click

from ....catalogs.errors import CatalogError
from ..options import tables_or_json
from ..output import counted, write_json


@click.command("warm")
@tables_or_json("A line for people, or one JSON value.")
def warm(form: str) -> int:
    """Compile everything in advance, so that no later process has to.

    Kernels for catalogs of more than 65,536 rows are compiled once for a machine, which takes
    some 20 seconds. In an image, run this as the user and with the NUMBA_CACHE_DIR that the
    service will run with.
    """
    from ....catalogs.vectors import kernel_cache
    from ....catalogs.vectors.kernel_compiler import compile_kernels

    if kernel_cache.cache_folder() is None:
        problem = "no folder can be written to keep what is compiled in"
        raise CatalogError(problem, hint="set NUMBA_CACHE_DIR to one")
    done = compile_kernels(counted)
    if form == "json":
        write_json(done.record())
    else:
        print(
            f"{done.kernels} kernels are ready in {done.folder}: {done.compiled} compiled now, "
            f"in {done.seconds:.1f} s"
        )
    return 0
