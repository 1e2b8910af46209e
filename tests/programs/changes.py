"""The small changes that can be made to a Python source: one operator, constant, condition or statement each.

What can be seen to leave the program the same is left out:

- docstrings, annotations, type aliases, imports, decorators, `__all__` and `__slots__`;
- texts for people: strings with a space, f-strings, what is given to an exception, to a log or to a warning;
- types: what is given to `cast`, `isinstance` and `issubclass`, and what stands under `if TYPE_CHECKING`;
- `strict=` of `zip`, which only asserts.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

OPERATORS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""Each operator as it is written, and what it is changed to."""
_SILENT = {"log", "logger", "logging", "warnings", "TypeVar", "ParamSpec", "cast", "isinstance", "issubclass"}
"""Calls whose arguments are texts for people, or types."""
_NAMES = {"__all__", "__slots__"}


class Change(NamedTuple):
    """One change to a source."""

    file: str
    """Its path, from the root of the checkout."""
    line: int
    """The line where it begins, from 1."""
    function: str
    """The function or class around it, with dots; empty at the top of the module."""
    before: str
    """The first line that changes, without its indentation."""
    after: str
    """That line after the change."""
    number: int
    """Which one this is among those with the same function and lines, from 0."""
    start: int
    """Where the change begins in the source, in bytes."""
    end: int
    new: str
    """What stands there instead, up to *end*."""

    def made_in(self, source: str) -> str:
        """Return *source*, with this change made."""
        text = source.encode()
        return (text[: self.start] + self.new.encode() + text[self.end :]).decode()

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What the change is, wherever in the file its line stands now."""
        return self.file, self.function, self.before, self.after

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" + (f" in {self.function}" if self.function else "")
        return f"{where}\n-    {self.before}\n+    {self.after}"


def changes_of(file: str, source: str) -> list[Change]:
    """Return all changes to *source*, the text of *file*, in the order in which they stand there."""
    found: list[Change] = []
    seen: dict[tuple[str, str, str], int] = {}
    text = source.encode()
    for start, end, new, function in sorted(_Finder(source).edits):
        first, last = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end)
        old = text[first:last].decode()
        changed = (text[first:start] + new.encode() + text[end:last]).decode()
        before, after = _first_difference(old, changed)
        number = seen[function, before, after] = seen.get((function, before, after), -1) + 1
        line = text.count(b"\n", 0, start) + 1
        found.append(Change(file, line, function, before, after, number, start, end, new))
    return found


def _first_difference(old: str, new: str) -> tuple[str, str]:
    """Return the first lines of two texts that differ, without their indentation."""
    lines = zip(old.splitlines(), new.splitlines(), strict=False)
    before, after = next((one, other) for one, other in lines if one != other)
    return before.strip(), after.strip()


class _Finder(ast.NodeVisitor):
    """Finds the places of a source where a change can be made, as offsets in bytes."""

    def __init__(self, source: str) -> None:
        self.edits: list[tuple[int, int, str, str]] = []
        """Where each begins and ends, what comes there, and the function around it."""
        self._text = source.encode()
        self._lines = [0]
        for line in self._text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._around: list[str] = []
        self.visit(ast.parse(source))

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def _replace(self, node: ast.expr | ast.stmt, new: str) -> None:
        self.edits.append((self._start(node), self._end(node), new, ".".join(self._around)))

    def _replace_between(self, left: ast.expr, right: ast.expr, operator: ast.AST) -> None:
        """Change *operator*, which stands between two operands."""
        old, new = OPERATORS[type(operator)]
        start, end = self._end(left), self._start(right)
        between = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self._text[start:end])
        pattern = r"\s+".join(map(re.escape, old.split()))
        found = re.search(pattern.encode(), between)
        assert found is not None, f"expected {old!r} between operands, got: {between!r}"
        self.edits.append((start + found.start(), start + found.end(), new, ".".join(self._around)))

    def visit(self, node: ast.AST) -> None:
        """Find the changes to *node* and to what it holds."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._visit_named(node)
        elif isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break | ast.Delete):
            self._visit_leaving(node)
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
            super().visit(node)

    # -- what is left out

    def _visit_named(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """Visit a body and the defaults of arguments: no decorators, bases and annotations."""
        self._around.append(node.name)
        if not isinstance(node, ast.ClassDef):
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._around.pop()

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func)
        first, last = name.split(".")[0], name.split(".")[-1]
        if not ({first, last} & _SILENT or last.endswith(("Error", "Fault", "Warning"))):
            for part in [node.func, *node.args]:
                self.visit(part)
            for keyword in node.keywords:
                if (last, keyword.arg) != ("zip", "strict"):
                    self.visit(keyword.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self.visit(node.value)

    # -- statements

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.visit(node.value)
            if ast.unparse(node).split(".")[0] not in _SILENT:
                self._replace(node, "pass")

    def visit_Assign(self, node: ast.Assign) -> None:
        if not {ast.unparse(target) for target in node.targets} & _NAMES:
            self.visit(node.value)
            if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
                self._replace(node, "pass")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._replace_between_assign(node)
        self.visit(node.value)
        self._replace(node, "pass")

    def _replace_between_assign(self, node: ast.AugAssign) -> None:
        old, new = OPERATORS[type(node.op)]
        start = self._text.index(f"{old}=".encode(), self._end(node.target))
        self.edits.append((start, start + len(old) + 1, f"{new}=", ".".join(self._around)))

    def _visit_leaving(self, node: ast.Return | ast.Raise | ast.Continue | ast.Break | ast.Delete) -> None:
        if isinstance(node, ast.Return):
            if node.value is not None:
                self.visit(node.value)
            if node.col_offset <= 4 * len(self._around):  # the last word of its function
                return
        self._replace(node, "pass")

    # -- conditions

    def visit_If(self, node: ast.If) -> None:
        test = ast.unparse(node.test)
        if test not in ("TYPE_CHECKING", "__name__ == '__main__'"):
            self._visit_condition(node.test)
            for statement in [*node.body, *node.orelse]:
                self.visit(statement)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.visit(node.body)
        self._visit_condition(node.test)
        self.visit(node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self._visit_condition(node.test, values=("False",))
        for statement in [*node.body, *node.orelse]:
            self.visit(statement)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        for test in node.ifs:
            self._visit_condition(test)

    def _visit_condition(self, test: ast.expr, values: tuple[str, ...] = ("True", "False")) -> None:
        if not isinstance(test, ast.Constant):
            for value in values:
                self._replace(test, value)
        self.visit(test)

    # -- operators and constants

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self._replace_between(left, right, operator)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in OPERATORS:
            self._replace_between(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._replace_between(left, right, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            inner = self._text[self._start(node.operand) : self._end(node.operand)].decode()
            self._replace(node, f"({inner})")
        self.visit(node.operand)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace(node, str(not value))
        elif isinstance(value, int):
            self._replace(node, str(value + 1))
        elif isinstance(value, float):
            self._replace(node, str(2 * value if value else 1.0))
        elif isinstance(value, str | bytes):
            space, mark = (" ", "_") if isinstance(value, str) else (b" ", b"_")
            if space not in value:  # type: ignore[operator]  # both are of the same type
                self._replace(node, repr(value + mark))  # type: ignore[operator]
