"""Every wish as a chip: what was asked, what gave way, and how to take it back."""

from __future__ import annotations

from .engine.markup import Child, Html, join, tag
from .http_page_form import FormModel
from .http_page_outcome import Outcome
from .http_page_wishes import Preference, Wish
from .http_page_words import ident, phrase, preference_words, unseen


def chips(found: Outcome, form: FormModel) -> Html:
    """Return every wish as a chip: with a way to drop it, and to put back what gave way."""
    wishes = [_chip(one, found, form) for one in found.wishes.wishes]
    preferences = [_preference_chip(one, found, form) for one in found.wishes.preferences]
    listing = tag("ul", *wishes, *preferences, class_="chips") if wishes or preferences else None
    return tag("section", listing, id="chips", aria_label="Chosen filters")


def _chip(wish: Wish, found: Outcome, form: FormModel) -> Html:
    words = phrase(wish, form.by_column.get(wish.column))
    gone, wrong = wish.key in found.gone_keys, wish.key in found.asked.faults
    state = "gone" if gone else "wrong" if wrong else "must" if wish.must else "kept"
    return tag(
        "li",
        tag("del" if gone or wrong else "span", words, class_="words"),
        unseen(" (gave way)" if gone else " (left out)") if gone or wrong else None,
        _put_back(wish, found, words) if gone else None,
        _must_mark(wish, found, words) if wish.must else None,
        _action(found.wishes.without(wish.key).address, "×", join("Remove ", words), "remove",
                ident("x", wish.key)),
        class_=f"chip {state}",
    )  # fmt: skip


def _action(address: str, face: Child, words: Child, class_: str, id_: str) -> Html:
    """Return a link that changes the wishes; its name says of what, its face may be short."""
    return tag(
        "a",
        tag("span", face, aria_hidden="true"),
        tag("span", words, class_="unseen"),
        href=address,
        class_=class_,
        id=id_,
    )


def _put_back(wish: Wish, found: Outcome, words: Child) -> Html:
    return _action(
        found.wishes.put_back(wish.key).address,
        "Put back",
        join("Put back ", words),
        "put-back",
        ident("b", wish.key),
    )


def _must_mark(wish: Wish, found: Outcome, words: Child) -> Html:
    return _action(
        found.wishes.optional(wish.key).address,
        "must",
        join(words, " is a must; let it give way again"),
        "must-mark",
        ident("m", wish.key),
    )


def _preference_chip(one: Preference, found: Outcome, form: FormModel) -> Html:
    words = preference_words(one, form.by_column.get(one.column))
    address = found.wishes.without(one.key).address
    return tag(
        "li",
        tag("span", "prefer ", words, class_="words"),
        _action(address, "×", join("Remove the preference for ", words), "remove",
                ident("x", one.key)),
        class_="chip preference",
    )  # fmt: skip
