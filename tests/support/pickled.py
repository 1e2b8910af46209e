"""Find what goes over a pool, a pipe or a cluster by pickle, and make an example of each class.

All of it is found in the sources, so the same classes are found whether their modules are compiled or not.
"""

import ast
import importlib
import re
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from msgspec.structs import replace

from ladder.replay.replayer import Replayer
from results.rating.parameters import Parameters
from results.record import Run
from support.places import ROOT
from support.sources import module_of, paths, read, text_of

PACKAGES = ("engines", "ladder", "protocol", "results")
METHODS = {"as_done", "each"}
"""Methods that share work: those of Pool."""
FUNCTIONS = {"Aside", "share"}
"""Functions that do: `share` is a method of Pool where it is an argument."""
CLUSTER = {"register_plugin", "run", "submit"}
"""Methods of a Dask client."""


class Road(NamedTuple):
    """A place at which work is handed to another process."""

    module: str
    line: int
    work: str
    """The function that does it there, or the class of the object that does."""


@cache
def source(module: str) -> ast.Module:
    path = ROOT / (module.replace(".", "/") + ".py")
    return ast.parse((path if path.exists() else path.with_suffix("") / "__init__.py").read_text("utf-8"))


def calls(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls in modules that call one of *names*, with their modules."""
    named = re.compile(rf"\b({'|'.join(names)})\(")
    for path in (path for package in PACKAGES for path in paths(package) if named.search(text_of(path))):
        for node in ast.walk(source(module_of(path))):
            if isinstance(node, ast.Call):
                yield module_of(path), node


def roads() -> Iterator[Road]:
    """Yield all roads in the sources."""
    for module, call in calls("Process", "send", "dumps", "Errand", *METHODS, *FUNCTIONS, *CLUSTER):
        if (work := _work(call)) is not None:
            if isinstance(work, ast.Call):
                work = work.args[0] if ast.unparse(work.func) == "partial" else work.func
            yield Road(module, call.lineno, ast.unparse(work))


def _work(call: ast.Call) -> ast.expr | None:
    """Return what a *call* hands to another process, None if it hands over nothing."""
    match call.func:
        case ast.Attribute(_, "Process"):
            return next(word.value for word in call.keywords if word.arg == "target")
        case ast.Attribute(of, name) if name in CLUSTER and "client" in ast.unparse(of):
            return call.args[0]
        case ast.Attribute(_, name) if name in METHODS:
            return call.args[0]
        case ast.Name("Errand") if isinstance(call.args[1], ast.Name):
            return call.args[1]
        case ast.Name(name) if name in FUNCTIONS and ast.unparse(call.args[0]) != "errand.work":
            return call.args[0]
        case ast.Attribute(of, "send" | "dumps") if ast.unparse(of) in ("pipe", "ForkingPickler"):
            made = isinstance(call.args[0], ast.Call) and ast.unparse(call.args[0].func).lstrip("_")
            return call.args[0] if made and made[0].isupper() else None
    return None


def writers() -> set[str]:
    """Return the modules that write objects to a connection by themselves, or read them."""
    found = set()
    for module, call in calls("send", "recv"):
        match call.func:
            case ast.Attribute(ast.Attribute(_, of) | ast.Name(of), "send" | "recv"):
                if "pipe" in of or of in ("here", "there", "connection"):
                    found.add(module)
    return found


def importers() -> set[str]:
    """Return the modules that import what starts a process or reaches a cluster."""
    starters = {"concurrent.futures", "distributed", "ladder.machine.pool", "multiprocessing"}
    return {
        module_of(path)
        for package in PACKAGES
        for path in paths(package)
        for name in read(path).imports
        if name in starters or name.rpartition(".")[0] in starters
    }


# -- classes


def classes_on(road: Road) -> set[type]:
    """Return our classes that may be among the arguments or in the answer of a road's work."""
    found: set[type] = set()
    work = eval(road.work, namespace(road.module))
    if isinstance(work, type):
        _collect(work, found)
    else:
        for hint in _annotations(work.__module__, work.__name__):  # the function may be imported there
            _collect(hint, found)
    return found


def _annotations(module: str, name: str) -> list[Any]:
    """Return the types that the function *name* takes and returns."""
    (function,) = [node for node in source(module).body if getattr(node, "name", "") == name]
    assert isinstance(function, ast.FunctionDef)
    hints = [argument.annotation for argument in (*function.args.args, *function.args.kwonlyargs)]
    return [evaluate(module, hint) for hint in [*hints, function.returns]]


def _collect(hint: Any, found: set[type]) -> None:
    """Add to *found* our classes that *hint* names, their subclasses, and all that these are made of."""
    if typing.get_origin(hint) in (Callable, type):  # made where they are called
        return
    for part in typing.get_args(hint):
        _collect(part, found)
    kind = typing.get_origin(hint) or hint
    if not isinstance(kind, type) or kind.__module__.split(".")[0] not in PACKAGES or kind in found:
        return
    found.add(kind)
    for part in (*fields(kind).values(), *parts(kind), *kind.__subclasses__()):
        _collect(part, found)


def fields(kind: type) -> dict[str, Any]:
    """Return the types of what *kind* is made from, by name: its annotations, or what its __init__ takes."""
    found: dict[str, Any] = {}
    for of in reversed(kind.__mro__):
        if (body := _body(of)) is None:
            continue
        for node in body:
            if isinstance(node, ast.AnnAssign) and not ast.unparse(node.annotation).startswith("ClassVar"):
                found[ast.unparse(node.target)] = evaluate(of.__module__, node.annotation)
        if init := _init(body):
            found = {
                argument.arg: evaluate(of.__module__, argument.annotation)
                for argument in (*init.args.args[1:], *init.args.kwonlyargs)
            }
    return found


def parts(kind: type) -> Iterator[Any]:
    """Yield what the __init__ of *kind* makes and keeps: the classes that it calls, and what it annotates."""
    for of in kind.__mro__:
        init = _init(_body(of) or [])
        for node in ast.walk(init) if init else ():
            match node:
                case ast.Call(ast.Name(name)) if isinstance(namespace(of.__module__).get(name), type):
                    yield namespace(of.__module__)[name]
                case ast.AnnAssign():
                    yield evaluate(of.__module__, node.annotation)


def _body(kind: type) -> list[ast.stmt] | None:
    """Return the statements of a class of ours, None of any other."""
    if kind.__module__.split(".")[0] not in PACKAGES:
        return None
    for node in ast.walk(source(kind.__module__)):
        if isinstance(node, ast.ClassDef) and node.name == kind.__qualname__:
            return node.body
    return None


def _init(body: list[ast.stmt]) -> ast.FunctionDef | None:
    return next((f for f in body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)


@cache
def namespace(module: str) -> dict[str, Any]:
    """Return the names of *module*, also those that only a type checker imports."""
    names = dict(vars(importlib.import_module(module)))
    for node in source(module).body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            exec(ast.unparse(ast.Module(node.body, [])), names)
    return names


def evaluate(module: str, hint: ast.expr | None) -> Any:
    return eval(ast.unparse(hint), namespace(module)) if hint else Any


# -- examples

MADE: dict[type, Callable[[], Any]] = {
    str: lambda: "a",
    int: lambda: 1,
    float: lambda: 0.5,
    bool: lambda: True,
    bytes: lambda: b"1" * 16,
    Path: lambda: Path("a"),
    type(None): lambda: None,
    pa.Table: lambda: pa.table({"a": [1]}),
    Parameters: lambda: Parameters(),
    Replayer: lambda: Replayer(replace(example(Run), secret="a1" * 16)),
}
"""How to make an example of a class; of any other, from its fields."""


def example(hint: Any) -> Any:
    """Return an object of the type *hint*, in which nothing is empty."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in MADE:
        return MADE[hint]()
    if hint is Any or isinstance(hint, str | typing.TypeVar):  # what JSON may hold
        return "a"
    if origin is typing.Annotated:
        return example(args[0])
    if origin is typing.Literal:
        return args[0]
    if origin in (typing.Union, types.UnionType):
        return example(next(arg for arg in args if arg is not type(None)))
    if origin is tuple:
        return tuple(example(arg) for arg in args if arg is not Ellipsis)
    if origin is Counter:
        return Counter([example(args[0])])
    if isinstance(origin, type) and len(args) == 2:
        return {example(args[0]): example(args[1])}
    if isinstance(origin, type) and len(args) == 1:
        return (origin if origin in (set, frozenset, list) else list)([example(args[0])])
    return hint(**{name: example(field) for name, field in fields(hint).items()})


def same(one: Any, other: Any) -> bool:
    """Return whether two objects are of one class and hold the same, to the last attribute."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    names = _attributes(one)
    if not names:
        return bool(one == other)
    return names == _attributes(other) and all(same(getattr(one, a), getattr(other, a)) for a in names)


def _attributes(one: Any) -> list[str]:
    """Return the names of what an object of ours holds, also if its class has slots or is compiled."""
    if type(one).__module__.split(".")[0] not in PACKAGES:
        return []
    slots = (
        name
        for kind in type(one).__mro__
        for name, value in vars(kind).items()
        if isinstance(value, types.MemberDescriptorType | types.GetSetDescriptorType) and name[:2] != "__"
    )
    return sorted(name for name in {*getattr(one, "__dict__", ()), *slots} if hasattr(one, name))
