"""How the languages of the templates write names."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ladder.kits.identifiers import camel, pascal, snake


class Spelling(msgspec.Struct, frozen=True):
    """How a language writes names.

    *field* writes the key of a record as the name of a field, which is none of the words *taken*.  With
    *hides_types*, it is not the name of its record either, nor of a type that it does not have.  A type with
    the name of a class that the language has already, in *classes*, gets another one.
    """

    field: Callable[[str], str] = str
    taken: frozenset[str] = frozenset()
    hides_types: bool = False
    classes: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _export(key: str) -> str:
    """Return a name that begins with a capital: Go reads no others from JSON."""
    name = pascal(key) or "Field"
    return f"F{name}" if name[0].isdigit() else name


_C = _words(
    "auto bool break case char const continue default do double else enum errno extern false float for "
    "goto if inline int long register restrict return short signed sizeof static stderr stdin stdout "
    "struct switch true typedef union unsigned void volatile while"
)
_CPP = _words(
    "alignas alignof and asm bitand bitor catch class compl concept constexpr decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not nullptr operator or private "
    "protected public reinterpret_cast requires static_assert static_cast template this throw try typeid "
    "typename using virtual wchar_t xor"
)
_CSHARP = _words("Equals Finalize GetHashCode GetType MemberwiseClone Read ReferenceEquals ToString")
"""Methods that every class has, and that which reads it."""
_JAVA = _words(
    "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "extends false final finally float for goto if implements import instanceof int interface long native "
    "new null package private protected public return short static strictfp super switch synchronized "
    "this throw throws transient true try void volatile while _ "
    # methods that every record has
    "clone finalize getClass hashCode notify notifyAll toString wait"
)
_PHP = _words(
    "Abstract And As Attribute Bool Break Callable Case Catch Class Clone Closure Const Continue Countable "
    "Declare Default Die Directory Do Echo Else Elseif Empty Enum Eval Exception Exit Extends False Fiber "
    "Final Finally Float Fn For Foreach Function Generator Global Goto If Implements Include Instanceof "
    "Insteadof Int Interface Isset Iterable Iterator Match Mixed Namespace Never New Null Or Parent Print "
    "Private Protected Public Readonly Require Return Self Serializable Socket Static Stringable Switch "
    "Throw Throwable Trait Traversable True Try Unset Use Var Void While Xor Yield"
)
"""Keywords, in any case, and classes of PHP, among the names that types may get."""
_RUST = _words(
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn "
    "for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct "
    "super trait true try type typeof union unsafe unsized use virtual where while yield"
)
SPELLINGS = {
    "c": Spelling(snake, _C),
    "cpp": Spelling(snake, _C | _CPP),
    "csharp": Spelling(
        lambda key: pascal(key) or "Field", _CSHARP | _words("Json"), hides_types=True, classes=_CSHARP
    ),
    "go": Spelling(_export),
    "java": Spelling(camel, _JAVA),
    "php": Spelling(snake, _words("this"), classes=_PHP),
    "python": Spelling(),
    "rust": Spelling(snake, _RUST),
    "typescript": Spelling(),
}
"""By the names of the templates."""
