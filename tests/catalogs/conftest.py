"""What several folders of the catalogs' tests use."""

from pathlib import Path

import pytest

from where_attacks import SECRET


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that nobody's text may read."""
    path = tmp_path / "secret.csv"
    path.write_text(f"a\n{SECRET}\n")
    return path
