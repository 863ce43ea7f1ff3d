"""SQL text as tokens and as sqlglot's tree, and its author's words for people to read.

Length, nesting and signs are checked on the tokens, before the parser sees them: it recurses once
for each bracket, and takes minutes over some of what no expression needs.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError as SqlglotParseError
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from ..errors import ParseError, excerpt
from .constraint import character_problem
from .predicate import MAX_DECIMAL_DIGITS, quoted

MAX_SQL_LENGTH = 100_000
MAX_TOKENS = 10_000
MAX_NESTING = 24
"""Brackets, CASEs and prefix operators inside each other; parsers recurse once for each."""

_SIGNS = frozenset("= == <> != < <= > >= + - * / // % || ( ) , :: . ;".split())
"""Signs that an expression may hold; `;` has an error of its own, `.` begins a number."""

_STATEMENTS = frozenset(
    "select insert update delete drop create copy attach detach install load set reset pragma call "
    "export import alter with truncate merge vacuum checkpoint explain describe show use begin "
    "commit rollback prepare execute".split()
)
_DIALECT = DuckDB()
_PARSER: Any = DuckDB.Parser
_OPENING = (TokenType.L_PAREN, TokenType.CASE)
_CLOSING = (TokenType.R_PAREN, TokenType.END)
_PREFIXES = (TokenType.NOT, TokenType.DASH, TokenType.PLUS)


def tokens_of(text: str) -> list[Token]:
    """Return the text's tokens, comments and the semicolons at its end left out.

    Raises `ParseError` for text that is empty, not Unicode, unclosed, too long or too nested.
    """
    if len(text) > MAX_SQL_LENGTH:
        raise ParseError(text, 0, f"longer than {MAX_SQL_LENGTH} characters", hint="shorten it")
    problem = character_problem(text)
    if problem:
        raise ParseError(text, problem[0] + 1, problem[1], hint="remove it")
    try:
        tokens = list(DuckDB.Tokenizer().tokenize(text))
    except TokenError as error:
        raise _unclosed(text, error) from None
    while tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
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


def _typed_literal(parser: Any, value: exp.Expr, sql_type: exp.DataType) -> exp.Expr:
    """Return `DATE '…'` as a cast, inside other casts as DuckDB reads `DATE '…'::VARCHAR`."""
    literal = value
    while isinstance(literal, exp.Cast):
        literal = literal.this
    typed = exp.Cast(this=literal.copy(), to=sql_type)
    return typed if literal is value else cast("exp.Expr", literal.replace(typed).root())


class ConditionParser(DuckDB.Parser):
    """The parser of DuckDB's dialect that leaves calls as written: a name and its arguments."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {}
    SUBQUERY_PREDICATES: ClassVar[dict[Any, Any]] = {}
    TYPE_CONVERTERS: ClassVar[dict[Any, Any]] = {}
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        "CASE": _PARSER.NO_PAREN_FUNCTION_PARSERS["CASE"]
    }
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        name: _PARSER.FUNCTION_PARSERS[name] for name in ("CAST", "TRY_CAST", "TRIM", "SUBSTRING")
    }
    TYPE_LITERAL_PARSERS: ClassVar[dict[Any, Any]] = dict.fromkeys(exp.DType, _typed_literal)


def parse_expression(text: str, tokens: Sequence[Token]) -> exp.Expr:
    """Return the text's one expression as a tree; raise `ParseError` with the position."""
    first = written(tokens[0], text)
    if first.casefold() in _STATEMENTS and not _is_name(tokens):
        problem = f"a statement ({first.upper()}) where a condition belongs"
        place = tokens[0].start + 1
        raise ParseError(text, place, problem, hint="give only what follows WHERE")
    _check_signs(tokens, text)
    try:
        trees = ConditionParser(dialect=_DIALECT).parse_into(exp.Condition, list(tokens), text)
    except SqlglotParseError as error:
        raise _parse_error(text, tokens, error) from None
    except (RecursionError, TokenError, ValueError, AttributeError, TypeError):
        raise ParseError(text, 0, "not a condition", hint="write column op value") from None
    if len(trees) != 1 or trees[0] is None:
        hint = "give one condition, without a semicolon"
        problem = f"{len(trees)} conditions" if len(trees) > 1 else "no condition"
        raise ParseError(text, 0, problem, hint=hint)
    return trees[0]


def _check_signs(tokens: Sequence[Token], text: str) -> None:
    """Raise `ParseError` for a sign that no expression needs; the parser takes minutes over some.

    Also for a quoted name of a type, which may be a type of DuckDB's that somebody made.
    """
    for before, token in zip([None, *tokens], tokens, strict=False):
        sign = written(token, text)
        is_word = sign[0].isalnum() or sign[0] in "_'\"" or not sign.isascii()
        is_type = before is not None and before.token_type in (TokenType.DCOLON, TokenType.ALIAS)
        if (sign not in _SIGNS and not is_word) or (sign[0] == '"' and is_type):
            raise refused(text, token.start + 1, f"{excerpt(sign)} is not allowed here")


def _is_name(tokens: Sequence[Token]) -> bool:
    """Whether the first word is used as a column: a column may be called `Load` or `set`."""
    second = tokens[1].token_type if len(tokens) > 1 else None
    comparing = (TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT)
    return second in (*comparing, TokenType.GTE, TokenType.IS, TokenType.IN, TokenType.BETWEEN)


def _parse_error(text: str, tokens: Sequence[Token], error: SqlglotParseError) -> ParseError:
    details: dict[str, Any] = dict(error.errors[0]) if error.errors else {}
    place = (details.get("line"), details.get("col"))
    index = next((i for i, token in enumerate(tokens) if (token.line, token.col) == place), None)
    if index is None:
        return ParseError(text, 0, "not a condition", hint="write column op value")
    token = written(tokens[index], text)
    description = str(details.get("description") or "")
    problem = f"unexpected {excerpt(token)}" if "Unexpected" in description else "incomplete"
    if "Expecting" in description:
        problem = description.strip().lower()
    hint = _syntax_hint(tokens, index, text)
    return ParseError(text, tokens[index].start + 1, problem, hint=hint)


def _syntax_hint(tokens: Sequence[Token], index: int, text: str) -> str:
    token = tokens[index]
    before = tokens[index - 1] if index else None
    if before is not None and {before.token_type, token.token_type} == {TokenType.VAR}:
        name = f"{written(before, text)} {written(token, text)}"
        return f'put names with spaces in double quotes: "{name}"'
    if before is not None and before.token_type == TokenType.SEMICOLON:
        return "give one condition, without a semicolon"
    return "a condition is column, operator, value; text in single quotes"


def refused(text: str, position: int, problem: str) -> ParseError:
    """Return the error for something outside the allow-list."""
    hint = "only columns, values, comparisons and plain functions of them are allowed"
    return ParseError(text, position, problem, hint=hint)


def sources(
    tokens: Sequence[Token], conjuncts: Sequence[tuple[exp.Expr, int]]
) -> Iterator[Sequence[Token]]:
    """Yield the tokens of each conjunct of a text, without the brackets around it.

    The tree does not say where in the text its parts stand, but how many ANDs are inside each,
    those of BETWEEN among them, and how many brackets around it.
    """
    ands = [index for index, token in enumerate(tokens) if token.token_type == TokenType.AND]
    start = place = 0
    for tree, brackets in conjuncts:
        place += sum(1 for _ in tree.find_all(exp.And, exp.Between))
        end = ands[place] if place < len(ands) else len(tokens)
        part = tokens[start:end]
        # Brackets around several conjuncts open before the first and close after the last.
        shared = sum(map(_bracket, part))
        yield part[brackets + max(shared, 0) : len(part) - brackets + min(shared, 0)]
        start, place = end + 1, place + 1


def _bracket(token: Token) -> int:
    return (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)


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


def author_sql(
    tokens: Sequence[Token], text: str, columns: Mapping[int, str], functions: Container[str]
) -> str:
    """Return a text as people are shown it: its own words, the catalog's names, spaces evened out.

    `columns` maps the offset of each column's name to the name in the catalog.
    """
    sql, kind, before = "", "tight", None
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        name = written(token, text)
        gap = "" if kind == "tight" or name in (")", ",", "::") else " "
        kind = _kind(token, after, kind, is_call=name.casefold() in functions)
        if token.start in columns:
            kind, name = "operand", quoted(columns[token.start])
        elif _is_typed(token, after):
            kind, name = "tight", "CAST("
        elif before is not None and _is_typed(before, token):
            name = f"{name} AS {before.text.upper()})"
        elif token.token_type == TokenType.NUMBER and _is_huge(name):
            name = f"CAST({name} AS HUGEINT)"
        sql, before = sql + gap + name, token
    return sql


def _kind(token: Token, after: Token | None, before: str, *, is_call: bool) -> str:
    """Return `tight` for what has no space after it, `operand` for what may end one, or `word`."""
    following = after.token_type if after is not None else None
    if token.token_type in (TokenType.NUMBER, TokenType.STRING, TokenType.R_PAREN):
        return "operand"
    if token.token_type in (TokenType.L_PAREN, TokenType.DCOLON, TokenType.DOT):
        return "tight"
    is_sign = token.token_type == TokenType.DASH and before != "operand"
    opens_call = is_call and following == TokenType.L_PAREN
    return "tight" if opens_call or (is_sign and following == TokenType.NUMBER) else "word"


def _is_typed(token: Token, after: Token | None) -> bool:
    """Whether a text's type stands before it, as in `DATE '2024-01-31'`."""
    is_moment = token.text.casefold() in ("date", "timestamp")
    return is_moment and after is not None and after.token_type == TokenType.STRING


def _is_huge(number: str) -> bool:
    return number.isdigit() and len(number) <= MAX_DECIMAL_DIGITS and int(number) >= 2**63
