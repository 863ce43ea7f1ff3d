"""SQL text as tokens: bounded, and split at its top-level ANDs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from .constraint import character_problem
from .errors import ParseError

MAX_SQL_LENGTH = 100_000
MAX_TOKENS = 10_000
MAX_NESTING = 24
"""Brackets, CASEs and prefix operators inside each other; parsers recurse once for each."""

_OPENING = (TokenType.L_PAREN, TokenType.CASE)
_CLOSING = (TokenType.R_PAREN, TokenType.END)
_PREFIXES = (TokenType.NOT, TokenType.DASH, TokenType.PLUS)


def tokens_of(text: str) -> list[Token]:
    """Return the text's tokens, comments left out.

    Raises `ParseError` for text that is empty, not Unicode, unclosed, too long or too nested.
    """
    if len(text) > MAX_SQL_LENGTH:
        raise ParseError(text, 0, f"longer than {MAX_SQL_LENGTH} characters", hint="shorten it")
    found = character_problem(text)
    if found:
        raise ParseError(text, found[0] + 1, found[1], hint="remove it")
    try:
        tokens = list(DuckDB.Tokenizer().tokenize(text))
    except TokenError as error:
        raise _unclosed(text, error) from None
    if not tokens:
        raise ParseError(text, 0, "empty", hint="write a condition such as MSRP <= 30000")
    _check_size(tokens, text)
    return tokens


def _unclosed(text: str, error: TokenError) -> ParseError:
    for quote, kind in (("'", "text"), ('"', "name")):
        if text.count(quote) % 2:
            hint = f"close it, or double it inside {kind}"
            return ParseError(text, text.rindex(quote) + 1, f"unclosed {quote}", hint=hint)
    if text.rfind("/*") > text.rfind("*/"):
        return ParseError(text, text.rindex("/*") + 1, "unclosed comment", hint="close it: */")
    return ParseError(text, 0, str(error).splitlines()[0], hint="check quotes and comments")


def _check_size(tokens: Sequence[Token], text: str) -> None:
    if len(tokens) > MAX_TOKENS:
        problem = f"more than {MAX_TOKENS} words and signs"
        raise ParseError(text, 0, problem, hint='for a long list use op "in"')
    depth = run = 0
    for token in tokens:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        run = run + 1 if token.token_type in _PREFIXES else 0
        if depth + run > MAX_NESTING:
            raise ParseError(text, token.start + 1, "nested too deeply", hint="simplify it")


def conjuncts_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the operands of the top-level ANDs, in order, outer brackets taken off.

    Works on tokens, since a syntax tree does not know where in the text its parts are.
    """
    pending, found = [list(tokens)], list[list[Token]]()
    while pending:
        part = _unwrapped(pending.pop())
        operands = _operands(part)
        if len(operands) > 1:
            pending += reversed(operands)
        else:
            found.append(part)
    return found


def _unwrapped(tokens: list[Token]) -> list[Token]:
    while len(tokens) > 2 and _closing_of_first(tokens) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def _closing_of_first(tokens: Sequence[Token]) -> int:
    if tokens[0].token_type != TokenType.L_PAREN:
        return -1
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if depth == 0:
            return index
    return -1


def _operands(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return what stands between the ANDs; everything as one where an OR binds looser."""
    parts: list[list[Token]] = [[]]
    depth = betweens = 0
    for token in tokens:
        kind = token.token_type
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if depth == 0 and kind == TokenType.OR:
            return [list(tokens)]
        betweens += depth == 0 and kind == TokenType.BETWEEN
        if depth == 0 and kind == TokenType.AND:
            if not betweens:
                parts.append([])
                continue
            betweens -= 1
        parts[-1].append(token)
    return parts


def source_text(tokens: Sequence[Token], text: str) -> str:
    """Return the tokens as they stand in the text, comments and line breaks become spaces."""
    pieces: list[str] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and token.start > before.end + 1:
            pieces.append(" ")
        pieces.append(written(token, text))
    return "".join(pieces)


def written(token: Token, text: str) -> str:
    """Return the token as it stands in the text."""
    return text[token.start : token.end + 1]
