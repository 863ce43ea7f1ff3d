"""SQL boolean expressions: allow-listed twice, and rewritten with their literals as values.

A parser (sqlglot) and DuckDB may read the same text differently, so nothing a parser prints
is ever run. The syntax tree says what the text means and which names are columns; the SQL is
put together again from the text's own tokens, each of which must be a column, a literal, or
on a short list. DuckDB thus sees the words of the author and no others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, cast

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError as SqlglotParseError
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from .columns import Schema
from .errors import ParseError, nearest, shown
from .predicate import MAX_DECIMAL_DIGITS, Predicate, Slot, quoted
from .sql_tokens import tokens_of, written

DIALECT = "duckdb"
CURLY_QUOTES = "\u2018\u2019\u201c\u201d\u00b4`"
MAX_JOINED_TEXTS = 32
"""How many texts one expression may join; each could be a long cell of every row."""

MAX_CALLS = 128
"""Functions, casts and patterns of one text; the slowest take half a second for 10⁶ rows."""

MAX_OPERATORS = 2_000
"""Comparisons, sums and connectives of one text; a millisecond each for 10⁶ rows."""

COMPARISON_NODES: dict[type[exp.Expr], tuple[str, str]] = {
    exp.EQ: ("==", "=="),
    exp.NEQ: ("!=", "!="),
    exp.LT: ("<", ">"),
    exp.LTE: ("<=", ">="),
    exp.GT: (">", "<"),
    exp.GTE: (">=", "<="),
}
"""The operator as written, and with its sides exchanged."""

ALLOWED_NODES: tuple[type[exp.Expr], ...] = (
    *COMPARISON_NODES,
    *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Between, exp.In, exp.Like, exp.ILike, exp.Escape),
    *(exp.Is, exp.And, exp.Or, exp.Not, exp.Paren, exp.Neg, exp.Case, exp.If),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.DPipe, exp.Concat),
    *(exp.Literal, exp.Boolean, exp.Null, exp.Column, exp.Identifier),
    *(exp.Cast, exp.TryCast, exp.DataType),
    *(exp.Lower, exp.Upper, exp.Length, exp.Trim, exp.Substring, exp.Contains),
    *(exp.StartsWith, exp.EndsWith, exp.Replace, exp.Left, exp.Right),
    *(exp.Abs, exp.Round, exp.Ceil, exp.Floor, exp.Sqrt, exp.Greatest, exp.Least),
    *(exp.Coalesce, exp.Nullif, exp.Year, exp.Month, exp.Day, exp.Quarter),
)
"""What a syntax tree may be made of. Everything else is refused: sub-queries, other tables,
functions that read files or settings, parameters, windows, lambdas."""

FUNCTIONS = frozenset(
    "abs ceil ceiling floor round sqrt mod greatest least coalesce ifnull nullif if cast try_cast "
    "lower upper lcase ucase length len trim ltrim rtrim substring substr left right replace "
    "concat contains starts_with ends_with year month day quarter".split()
)
"""What may be called, by the name that is written and therefore run."""

TYPES = frozenset(
    "boolean bool tinyint smallint int integer bigint hugeint float real double varchar text "
    "date timestamp".split()
)
_WORDS = TYPES | frozenset(
    "and or not in is null true false between like ilike escape case when then else end distinct "
    "from as both leading trailing for isnull notnull".split()
)
_SIGNS = frozenset("= == <> != < <= > >= + - * / // % || ( ) , ::".split())
_TYPE_NODES = frozenset(
    "BOOLEAN TINYINT SMALLINT INT BIGINT INT128 FLOAT DOUBLE VARCHAR TEXT DATE TIMESTAMP "
    "TIMESTAMPNTZ".split()
)
_STATEMENTS = frozenset(
    "select insert update delete drop create copy attach detach install load set reset pragma call "
    "export import alter with truncate merge vacuum checkpoint explain describe show use begin "
    "commit rollback prepare execute".split()
)


def bind_expression(text: str, schema: Schema, *, nulls_match: bool = False) -> Predicate:
    """Return a SQL boolean expression as a predicate, its literals taken out as bound values.

    Raises `ParseError` or `UnknownColumn`.
    """
    tokens = tokens_of(text)
    tree = parse_expression(text, tokens)
    columns = checked_columns(tree, tokens, text, schema)
    parts = tuple(_parts(tokens, text, columns))
    return Predicate(parts, tuple(sorted(set(columns.values()))), nulls_match, loose=True)


def parse_expression(text: str, tokens: Sequence[Token] | None = None) -> exp.Expr:
    """Return the text's one expression as a tree; raise `ParseError` with the position."""
    tokens = tokens_of(text) if tokens is None else tokens
    first = written(tokens[0], text)
    if first.casefold() in _STATEMENTS and not _is_name(tokens):
        problem = f"a statement ({first.upper()}) where a condition belongs"
        place = tokens[0].start + 1
        raise ParseError(text, place, problem, hint="give only what follows WHERE")
    _check_before_parsing(tokens, text)
    try:
        # The tokens are there already, and making them is a good part of the work.
        found = DuckDB().parser().parse_into(exp.Condition, list(tokens), text)
    except SqlglotParseError as error:
        raise _parse_error(text, tokens, error) from None
    except (RecursionError, TokenError, ValueError, AttributeError, TypeError):
        raise ParseError(text, 0, "not a condition", hint="write column op value") from None
    if len(found) != 1 or found[0] is None:
        hint = "give one condition, without a semicolon"
        problem = f"{len(found)} conditions" if len(found) > 1 else "no condition"
        raise ParseError(text, 0, problem, hint=hint)
    return found[0]


def _check_before_parsing(tokens: Sequence[Token], text: str) -> None:
    """Raise `ParseError` for what the parser takes minutes over, or complains of by itself."""
    for token in tokens:
        if token.token_type in (TokenType.L_BRACKET, TokenType.L_BRACE):
            raise _refused(text, token.start + 1, f"{shown(token.text)} is not allowed here")
    called = len(tokens) > 1 and tokens[1].token_type == TokenType.L_PAREN
    if written(tokens[0], text).casefold() == "if" and not called:
        raise ParseError(text, tokens[0].start + 1, "a bare IF", hint="write CASE WHEN … END")


def _is_name(tokens: Sequence[Token]) -> bool:
    """Whether the first word is used as a column: a column may be called `Load` or `set`."""
    second = tokens[1].token_type if len(tokens) > 1 else None
    comparing = (TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT)
    return second in (*comparing, TokenType.GTE, TokenType.IS, TokenType.IN, TokenType.BETWEEN)


def _parse_error(text: str, tokens: Sequence[Token], error: SqlglotParseError) -> ParseError:
    found: dict[str, Any] = dict(error.errors[0]) if error.errors else {}
    place = (found.get("line"), found.get("col"))
    index = next((i for i, one in enumerate(tokens) if (one.line, one.col) == place), None)
    if index is None:
        return ParseError(text, 0, "not a condition", hint="write column op value")
    token = written(tokens[index], text)
    description = str(found.get("description") or "")
    problem = f"unexpected {shown(token)}" if "Unexpected" in description else "incomplete"
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


def checked_columns(
    tree: exp.Expr, tokens: Sequence[Token], text: str, schema: Schema | None
) -> dict[int, str]:
    """Return where columns stand (the offset of their tokens) and what the catalog calls them.

    Raises `ParseError` for anything outside the allow-lists and `UnknownColumn`. Without a
    schema every name is taken for a column.
    """
    columns: dict[int, str] = {}
    for node in tree.find_all(exp.Select, exp.Column):
        if problem := _refusal(node):
            raise _refused(text, _place(node, text), problem)
        hint = _column_hint(cast("exp.Column", node), schema) if schema else ""
        found = schema.find(node.name, hint=hint).name if schema else ""
        identifier = cast("exp.Expr", node.this)
        columns[cast("int", identifier.meta.get("start", -1))] = found or node.name
    # The author's own words first: they have a place, and the names the author knows.
    _check_tokens(tokens, text, columns)
    _check_nodes(tree, text)
    return columns


def _check_nodes(tree: exp.Expr, text: str) -> None:
    done = [0] * len(_LIMITS)
    for node in tree.walk():
        problem = _refusal(node)
        for place, (words, most, counted) in enumerate(_LIMITS):
            done[place] += counted(node)
            if done[place] > most:
                problem = problem or words.format(most)
        if problem:
            raise _refused(text, _place(node, text), problem)


def _joined(node: exp.Expr) -> int:
    texts = len(node.expressions) if isinstance(node, exp.Concat) else 0
    return texts + isinstance(node, exp.DPipe)


def _called(node: exp.Expr) -> int:
    patterns = isinstance(node, exp.Like | exp.ILike)
    return patterns or (isinstance(node, exp.Func) and not _operators(node))


def _operators(node: exp.Expr) -> int:
    # For the parser AND, OR and CASE are functions.
    return isinstance(node, exp.Binary | exp.Unary | exp.Between | exp.In | exp.Case | exp.If)


_LIMITS: tuple[tuple[str, int, Callable[[exp.Expr], int]], ...] = (
    ("joins more than {} texts", MAX_JOINED_TEXTS, _joined),
    ("calls more than {} functions", MAX_CALLS, _called),
    ("holds more than {} operators", MAX_OPERATORS, _operators),
)
"""How much one text may ask of every row: there is no deadline inside DuckDB."""


def _refused(text: str, position: int, problem: str) -> ParseError:
    hint = "only columns, values, comparisons and plain functions of them are allowed"
    return ParseError(text, position, problem, hint=hint)


def _place(node: exp.Expr, text: str) -> int:
    name = _source_name(node)
    found = re.search(rf"\b{re.escape(name)}", text, re.IGNORECASE) if name else None
    starts = [one.meta["start"] for one in node.find_all(exp.Identifier) if "start" in one.meta]
    return found.start() + 1 if found else min(starts, default=-1) + 1


def _refusal(node: exp.Expr) -> str:
    if not isinstance(node, ALLOWED_NODES):
        return f"{shown(_source_name(node) or node.key.upper())} is not allowed here"
    if isinstance(node, exp.In) and (node.args.get("query") or not node.expressions):
        return "IN needs a list of values"
    if isinstance(node, exp.Column) and node.parts[:-1]:
        return f"{shown(node.sql(DIALECT))} names a table"
    if isinstance(node, exp.DataType) and node.this.value not in _TYPE_NODES:
        return f"type {shown(node.sql(DIALECT))} is not allowed here"
    if isinstance(node, exp.Replace) and not _shrinks(node):
        return "replace() may only put text of the same length or shorter"
    return ""


def _shrinks(node: exp.Replace) -> bool:
    """Whether it cannot make text longer: nested, growing replacements fill any memory."""
    old, new = node.expression, node.args.get("replacement")
    if not isinstance(old, exp.Literal) or not isinstance(new, exp.Literal):
        return False
    return len(str(new.this)) <= len(str(old.this))


def _source_name(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return str(node.this)
    if isinstance(node, exp.Subquery | exp.Select | exp.Exists):
        return "SELECT"
    if isinstance(node, exp.Func):
        return type(node).sql_name()
    return ""


def _column_hint(node: exp.Column, schema: Schema) -> str:
    identifier = node.this
    if node.name[:1] in CURLY_QUOTES:
        return "text takes straight single quotes: '…'"
    is_value = isinstance(node.parent, (*COMPARISON_NODES, exp.In)) and node.arg_key != "this"
    if not is_value or nearest(node.name, schema.names):
        return ""
    name = shown(node.name)[1:-1]
    if isinstance(identifier, exp.Identifier) and identifier.quoted:
        return f"text takes single quotes: '{name}'"
    return f"if it is text, put it in single quotes: '{name}'"


def _check_tokens(tokens: Sequence[Token], text: str, columns: Mapping[int, str]) -> None:
    """Raise `ParseError` for a word or sign that DuckDB has no business to see."""
    following, operand = [*tokens[1:], None], False
    for token, after in zip(tokens, following, strict=True):
        if token.token_type in _INFIX and not operand:
            raise _refused(text, token.start + 1, f"{shown(written(token, text))} called here")
        operand = _ends_operand(token, text, columns) or (operand and token.text.upper() == "NOT")
        if token.token_type == TokenType.NUMBER:
            number_of(token.text, text, token.start)
        if token.start in columns or token.token_type in (TokenType.STRING, TokenType.NUMBER):
            continue
        name = written(token, text).casefold()
        called = after is not None and after.token_type == TokenType.L_PAREN
        known = name in _WORDS or name in _SIGNS or (called and name in FUNCTIONS)
        if not known and not _starts_number(token, after):
            problem = f"{shown(written(token, text))} is not allowed here"
            raise _refused(text, token.start + 1, problem)


_INFIX = (TokenType.LIKE, TokenType.ILIKE, TokenType.IN, TokenType.BETWEEN, TokenType.IS)
"""DuckDB takes `like(a, b)` for a function, whose arguments the parser exchanges."""


def _ends_operand(token: Token, text: str, columns: Mapping[int, str]) -> bool:
    literals = (TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN)
    known = token.start in columns or token.token_type in literals
    name = written(token, text).casefold()
    return known or name in TYPES or name in ("end", "null", "true", "false", "isnull", "notnull")


def _starts_number(token: Token, after: Token | None) -> bool:
    """Whether the token is the point of a number such as `.5`."""
    if token.token_type != TokenType.DOT or after is None:
        return False
    return after.token_type == TokenType.NUMBER and after.start == token.end + 1


def _parts(tokens: Sequence[Token], text: str, columns: Mapping[int, str]) -> Iterator[str | Slot]:
    """Yield the tokens as SQL, literals as slots; one space apart where SQL needs or likes it."""
    rendered = list(_rendered(tokens, text, columns))
    for (kind, pieces), (after, _) in pairwise([*rendered, ("end", ())]):
        yield from pieces
        if after not in ("end", ")", ",", "::") and kind not in ("(", "::", "sign", "call"):
            yield " "


Rendered = tuple[str, tuple[str | Slot, ...]]


def _rendered(tokens: Sequence[Token], text: str, columns: Mapping[int, str]) -> Iterator[Rendered]:
    """Yield each token's kind and its SQL."""
    before, index = "(", 0
    while index < len(tokens):
        token, after = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else None
        kind, pieces, taken = _render(token, after, text, columns, before)
        yield kind, pieces
        before, index = kind, index + taken


def _render(
    token: Token, after: Token | None, text: str, columns: Mapping[int, str], before: str
) -> tuple[str, tuple[str | Slot, ...], int]:
    """Return a token's kind and SQL, and how many tokens that took."""
    name = written(token, text)
    following = after.token_type if after is not None else None
    if token.start in columns:
        return "operand", (quoted(columns[token.start]),), 1
    if token.token_type == TokenType.STRING:
        return "operand", (Slot(token.text),), 1
    if token.token_type == TokenType.NUMBER:
        return "operand", _number_parts(token.text, token, text), 1
    if token.token_type == TokenType.DOT and after is not None:
        return "operand", _number_parts(f".{after.text}", token, text), 2
    if name.casefold() in ("date", "timestamp") and following == TokenType.STRING:
        # A type before a value needs a literal; a cast of the bound value means the same.
        cast_to = Slot(cast("Token", after).text)
        return "operand", ("CAST(", cast_to, f" AS {name.upper()})"), 2
    if following == TokenType.L_PAREN and name.casefold() in FUNCTIONS:
        return "call", (name,), 1
    if name == "-" and following == TokenType.NUMBER and before not in ("operand", ")"):
        return "sign", (name,), 1
    return (name if name in ("(", ")", ",", "::") else "word"), (name,), 1


def _number_parts(number: str, token: Token, text: str) -> tuple[str | Slot, ...]:
    value = number_of(number, text, token.start)
    slot = Slot(value, number)
    # Beyond 63 bits the client would bind an unsigned number, which has no minus.
    is_huge = isinstance(value, int) and value >= 2**63
    return ("CAST(", slot, " AS HUGEINT)") if is_huge else (slot,)


def number_of(number: str, text: str, start: int) -> int | float | Decimal:
    """Return a number as DuckDB types it: integer, decimal with a point, double with an e.

    Raises `ParseError` for what is no number or out of range.
    """
    if not re.fullmatch(r"(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", number, re.ASCII):
        raise ParseError(text, start + 1, f"{shown(number)} is not a number")
    value = float(number)
    if not math.isfinite(value) or abs(value) >= 2**126:
        raise ParseError(text, start + 1, "a number out of range", hint="give a smaller one")
    digits = sum(character.isdigit() for character in number)
    if "e" in number.casefold() or digits > MAX_DECIMAL_DIGITS:
        return value
    return Decimal(number) if "." in number else int(number)
