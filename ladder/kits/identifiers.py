"""Names as programming languages write them, and the words that each language has taken."""

import re
from collections.abc import Callable, Collection, Iterable

import msgspec


def _words(name: str) -> list[str]:
    """Return the parts of *name*: of `past_crosses`, `past-crosses` or `pastCrosses` the two words."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", apart) if word]


def pascal(name: str) -> str:
    """Return *name* as `PastCrosses`; "" if it has no letter or digit of ASCII."""
    return "".join(word.capitalize() for word in _words(name))


def camel(name: str) -> str:
    """Return *name* as `pastCrosses`."""
    text = pascal(name)
    return text[:1].lower() + text[1:]


def snake(name: str) -> str:
    """Return *name* as `past_crosses`."""
    return "_".join(_words(name))


def safe(name: str, keywords: Collection[str]) -> str:
    """Return *name*, changed if a program could not use it: a keyword, empty, or beginning with a digit."""
    if not name or name[0].isdigit():
        return f"_{name}"
    return f"{name}_" if name in keywords else name


def field_names(keys: Iterable[str], spell: Callable[[str], str], keywords: Collection[str]) -> list[str]:
    """Return for each of the *keys* of a record a name of its own, as *spell* writes it."""
    names: list[str] = []
    for key in keys:
        name = word = safe(spell(key) or "field", keywords)
        while name in names:
            name = f"{word}_{len(names)}"
        names.append(name)
    return names


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


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _export(key: str) -> str:
    """Return a name that begins with a capital: Go reads no others from JSON."""
    name = pascal(key) or "Field"
    return f"F{name}" if name[0].isdigit() else name


_C = _split(
    "auto bool break case char const continue default do double else enum errno extern false float for "
    "goto if inline int long register restrict return short signed sizeof static stderr stdin stdout "
    "struct switch true typedef union unsigned void volatile while"
)
_CPP = _split(
    "alignas alignof and asm bitand bitor catch class compl concept constexpr decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not nullptr operator or private "
    "protected public reinterpret_cast requires static_assert static_cast template this throw try typeid "
    "typename using virtual wchar_t xor"
)
_CSHARP = _split("Equals Finalize GetHashCode GetType MemberwiseClone Read ReferenceEquals ToString")
"""Methods that every class has, and that which reads it."""
_JAVA = _split(
    "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "extends false final finally float for goto if implements import instanceof int interface long native "
    "new null package private protected public return short static strictfp super switch synchronized "
    "this throw throws transient true try void volatile while _ "
    # methods that every record has
    "clone finalize getClass hashCode notify notifyAll toString wait"
)
_PHP = _split(
    "Abstract And As Attribute Bool Break Callable Case Catch Class Clone Closure Const Continue Countable "
    "Declare Default Die Directory Do Echo Else Elseif Empty Enum Eval Exception Exit Extends False Fiber "
    "Final Finally Float Fn For Foreach Function Generator Global Goto If Implements Include Instanceof "
    "Insteadof Int Interface Isset Iterable Iterator Match Mixed Namespace Never New Null Or Parent Print "
    "Private Protected Public Readonly Require Return Self Serializable Socket Static Stringable Switch "
    "Throw Throwable Trait Traversable True Try Unset Use Var Void While Xor Yield"
)
"""Keywords, in any case, and classes of PHP, among the names that types may get."""
_RUST = _split(
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn "
    "for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct "
    "super trait true try type typeof union unsafe unsized use virtual where while yield"
)
SPELLINGS = {
    "c": Spelling(snake, _C),
    "cpp": Spelling(snake, _C | _CPP),
    "csharp": Spelling(
        lambda key: pascal(key) or "Field", _CSHARP | _split("Json"), hides_types=True, classes=_CSHARP
    ),
    "go": Spelling(_export),
    "java": Spelling(camel, _JAVA),
    "php": Spelling(snake, _split("this"), classes=_PHP),
    "python": Spelling(),
    "rust": Spelling(snake, _RUST),
    "typescript": Spelling(),
}
"""By the names of the templates."""
