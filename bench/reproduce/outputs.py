"""What a run leaves in its folder: a page, a leaderboard, all rows, and the dozen of the README."""

from __future__ import annotations

import json
from pathlib import Path

from .headline import headline, headline_text
from .leaderboard import leaderboard
from .page import page
from .report import Report
from .store import write_whole

PAGE, LEADERBOARD, ROWS, HEADLINE = "index.html", "leaderboard.md", "rows.json", "headline.json"


def write_outputs(folder: Path, report: Report) -> list[Path]:
    """Write the four files and return their paths; raise `CatalogError` where that fails."""
    texts = {
        PAGE: page(report),
        LEADERBOARD: leaderboard(report),
        ROWS: json.dumps(report.record(), ensure_ascii=False, indent=1, allow_nan=False) + "\n",
        HEADLINE: headline_text(headline(report)),
    }
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]
