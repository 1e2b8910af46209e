"""What tests ask of the sources, each of which is parsed once a session."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from support.places import ROOT

PACKAGES = ("engines", "protocol", "results", "ladder", "bots")


class Source(NamedTuple):
    """What stands in one file; its tree is not kept, because all trees take some hundred MB."""

    doc: str
    imports: frozenset[str]
    """The full names of what it imports, wherever it stands."""
    loads: frozenset[str]
    """The full names of what it imports at once, in no function and not for types alone."""
    used: frozenset[str]
    """The full names that it imports, reads from a module that it imports, or names in a text."""
    exported: tuple[str, ...]
    """The names that it offers: those in its `__all__`, or else its public functions."""
    defined: frozenset[str]
    """The names that are there when it is imported."""
    classes: tuple[str, ...]
    """The names of the classes at its top."""
    functions: tuple[str, ...]
    """The names of all functions and methods, those left out that are read as a value."""
    texts: tuple[str, ...]
    """Its texts, docstrings left out."""
    lengths: tuple[tuple[str, int], ...]
    """Each function or method, and its lines, from `def` to the last."""
    prose_lines: frozenset[int]
    """The numbers of the lines of docstrings."""


@cache
def paths(folder: str) -> tuple[Path, ...]:
    """Return the Python files below a folder of the project, sorted."""
    return tuple(sorted((ROOT / folder).rglob("*.py")))


def module_of(path: Path) -> str:
    """Return the full name of the module at *path*."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def text_of(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text("utf-8")


@cache
def read(path: Path) -> Source:
    """Parse the file at *path*."""
    tree = ast.parse(text_of(path))
    nodes = [*ast.walk(tree)]
    imports, modules = _imports(nodes)
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    constants = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return Source(
        doc=ast.get_docstring(tree) or "",
        imports=frozenset(imports),
        loads=frozenset(_imports([*_at_once(tree.body)])[0]),
        used=frozenset({*imports, *_read_from(modules, nodes), *_named_in(constants)}),
        exported=_exported(tree),
        defined=frozenset(name for node in tree.body for name in _names(node)),
        classes=tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef)),
        functions=tuple(
            node.name
            for node in functions
            if not any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
        ),
        texts=tuple(node.value for node in constants if id(node) not in prose),
        lengths=tuple((node.name, (node.end_lineno or 0) - node.lineno + 1) for node in functions),
        prose_lines=frozenset(
            line
            for node in constants
            if id(node) in prose
            for line in range(node.lineno, (node.end_lineno or 0) + 1)
        ),
    )


def dotted(node: ast.expr) -> str:
    """Return a name with dots as it is written, and nothing for any other expression."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _at_once(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the imports that run as the module is loaded."""
    for node in body:
        if (isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING") or isinstance(
            node, ast.With
        ):
            yield from _at_once(node.body)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def _imports(nodes: list[ast.AST]) -> tuple[set[str], dict[str, str]]:
    """Return the full names of what is imported, and of each name that an import binds."""
    found, bound = set(), {}
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
            bound |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
            bound |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found, bound


def _read_from(modules: dict[str, str], nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and (module := modules.get(dotted(node.value))):
            yield f"{module}.{node.attr}"


def _named_in(constants: list[ast.Constant]) -> Iterator[str]:
    """Yield the names in a program text or an entry point."""
    for node in constants:
        for pattern in (r"from ([\w.]+) import (\w+)", r"\b([\w.]+):(\w+)\b"):
            yield from (".".join(match) for match in re.findall(pattern, str(node.value)))


def _exported(tree: ast.Module) -> tuple[str, ...]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and [*map(dotted, node.targets)] == ["__all__"]:
            return tuple(ast.literal_eval(node.value))
    offered = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return tuple(name for name in offered if not name.startswith("_"))


def _names(node: ast.stmt) -> list[str]:
    """Return the names that a statement at the top of a module binds."""
    match node:
        case ast.ClassDef() | ast.FunctionDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [alias.asname or alias.name for alias in node.names]
        case ast.If():
            return [name for inner in node.body for name in _names(inner)]
        case ast.Assign():
            return [*map(dotted, node.targets)]
        case ast.AnnAssign():
            return [dotted(node.target)]
    return []
