"""Weight sliders: how much each criterion and preference matters, and which is a must."""

from __future__ import annotations

from ....rendering.html import Html, tag
from .filters import FORM
from .form_model import Field, FormModel
from .query_string import POLICIES, Criterion, Preference
from .view_model import Outcome
from .wording import direction_word, element_id, label, phrase, preference_words, visually_hidden

TITLE = "What matters"
POLICY_WORDS = {
    "least-weight": "what matters least in all",
    "fewest": "as few filters as possible",
    "closest": "no more than it takes: stretch limits",
}


def weight_sliders(outcome: Outcome, form: FormModel) -> Html:
    """Return a slider and a "must" box for each criterion, and a menu of preferences."""
    rows = [_criterion_row(criterion, form) for criterion in outcome.search.criteria]
    rows += [_preference_row(preference, form) for preference in outcome.search.preferences]
    panel = tag(
        "details",
        tag("summary", TITLE),
        tag("p", "What stands further right gives way later.", class_="quiet") if rows else None,
        tag("ul", *rows, class_="matters") if rows else None,
        tag("div", _prefer(outcome, form), _policy(outcome), class_="choices"),
        tag("button", "Update", type="submit", form=FORM, class_="update"),
        id="weights",
    )
    title = tag("h2", TITLE, class_="panel-title")
    return tag("section", title, panel, id="matters", aria_label=TITLE)


def _criterion_row(criterion: Criterion, form: FormModel) -> Html:
    words = phrase(criterion, form)
    must = tag(
        "input",
        type="checkbox",
        name="must",
        value=criterion.key,
        checked=criterion.must,
        form=FORM,
        id=element_id("k", criterion.key),
    )
    return tag(
        "li",
        tag("label", words, for_=element_id("w", criterion.key)),
        _slider(criterion.key, criterion.weight),
        tag("label", must, tag("span", "must", visually_hidden(" ", words)), class_="box"),
    )


def _slider(key: str, weight: int) -> Html:
    return tag("input", type="range", name=f"weight.{key}", value=weight, min=0, max=100, step=5,
               form=FORM, id=element_id("w", key))  # fmt: skip


def _preference_row(preference: Preference, form: FormModel) -> Html:
    words = preference_words(preference, form)
    return tag(
        "li",
        tag("label", "prefer ", words, for_=element_id("w", preference.key)),
        _slider(preference.key, preference.weight),
        tag("input", type="hidden", name="prefer", value=preference.value, form=FORM),
    )


def _prefer(outcome: Outcome, form: FormModel) -> Html | None:
    taken = {preference.column for preference in outcome.search.preferences}
    options = [
        tag(
            "option",
            direction_word(direction, field),
            " ",
            label(field.title),
            value=f"{direction}.{field.column}",
        )
        for field in form.preferable
        if field.column not in taken
        for direction in _directions(field)
    ]
    if not options:
        return None
    box = element_id("f", "prefer")
    menu = tag("select", tag("option", "nothing else", value=""), *options, name="prefer",
               form=FORM, id=box)  # fmt: skip
    return tag("div", tag("label", "Also prefer", for_=box), menu, class_="field")


def _directions(field: Field) -> tuple[str, ...]:
    return (field.desirable,) if field.desirable else ("low", "high")


def _policy(outcome: Outcome) -> Html:
    box = element_id("f", "policy")
    options = [
        tag("option", POLICY_WORDS[policy], value=policy, selected=policy == outcome.search.policy)
        for policy in POLICIES
    ]
    menu = tag("select", *options, name="policy", form=FORM, id=box)
    return tag("div", tag("label", "When nothing matches, give up", for_=box), menu, class_="field")
