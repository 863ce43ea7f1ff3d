"""How much each wish matters, as sliders, and which may not give way."""

from __future__ import annotations

from .engine.markup import Html, tag
from .http_page_fields import FORM
from .http_page_form import Field, FormModel
from .http_page_outcome import Outcome
from .http_page_wishes import NEUTRAL, POLICIES, Preference, Wish
from .http_page_words import ident, label, more_or_less, phrase, preference_words, unseen

TITLE = "What matters most"
POLICY_WORDS = {
    "least-weight": "what matters least in all",
    "fewest": "as few filters as possible",
}


def matters(found: Outcome, form: FormModel) -> Html:
    """Return how much each wish matters, as sliders, and which may not give way."""
    rows = [_wish_row(one, form) for one in found.wishes.wishes]
    rows += [_preference_row(one, form) for one in found.wishes.preferences]
    panel = tag(
        "details",
        tag("summary", TITLE),
        tag("p", "What stands further right gives way later.", class_="quiet") if rows else None,
        tag("ul", *rows, class_="matters") if rows else None,
        tag("div", _prefer(found, form), _policy(found), class_="choices"),
        tag("button", "Update", type="submit", form=FORM, class_="update"),
        id="weights",
        open=_is_weighed(found),
    )
    title = tag("h2", TITLE, class_="panel-title")
    return tag("section", title, panel, id="matters", aria_label=TITLE)


def _is_weighed(found: Outcome) -> bool:
    """Whether the visitor has said anything about what matters, so that it is in view."""
    wishes = found.wishes
    weighed = any(one.weight != NEUTRAL for one in (*wishes.wishes, *wishes.preferences))
    musts = any(one.must for one in wishes.wishes)
    return weighed or musts or bool(wishes.preferences) or wishes.policy != POLICIES[0]


def _wish_row(wish: Wish, form: FormModel) -> Html:
    words = phrase(wish, form.by_column.get(wish.column))
    must = tag("input", type="checkbox", name="must", value=wish.key, checked=wish.must, form=FORM,
               id=ident("k", wish.key))  # fmt: skip
    return tag(
        "li",
        tag("label", words, for_=ident("w", wish.key)),
        _slider(wish.key, wish.weight),
        tag("label", must, tag("span", "must", unseen(" ", words)), class_="box"),
    )


def _slider(key: str, weight: int) -> Html:
    return tag("input", type="range", name=f"weight.{key}", value=weight, min=0, max=100, step=5,
               form=FORM, id=ident("w", key))  # fmt: skip


def _preference_row(one: Preference, form: FormModel) -> Html:
    words = preference_words(one, form.by_column.get(one.column))
    return tag(
        "li",
        tag("label", "prefer ", words, for_=ident("w", one.key)),
        _slider(one.key, one.weight),
        tag("input", type="hidden", name="prefer", value=one.value, form=FORM),
    )


def _prefer(found: Outcome, form: FormModel) -> Html | None:
    taken = {one.column for one in found.wishes.preferences}
    options = [
        tag("option", more_or_less(way, one), " ", label(one.column), value=f"{way}.{one.column}")
        for one in form.preferable
        if one.column not in taken
        for way in _ways_of(one)
    ]
    if not options:
        return None
    box = ident("f", "prefer")
    menu = tag("select", tag("option", "nothing else", value=""), *options, name="prefer",
               form=FORM, id=box)  # fmt: skip
    return tag("div", tag("label", "Also prefer", for_=box), menu, class_="field")


def _ways_of(field: Field) -> tuple[str, ...]:
    return (field.desirable,) if field.desirable else ("low", "high")


def _policy(found: Outcome) -> Html:
    box = ident("f", "policy")
    options = [
        tag("option", POLICY_WORDS[one], value=one, selected=one == found.wishes.policy)
        for one in POLICIES
    ]
    menu = tag("select", *options, name="policy", form=FORM, id=box)
    return tag("div", tag("label", "When nothing matches, give up", for_=box), menu, class_="field")
