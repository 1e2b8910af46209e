"""The people who may upload: their names, and the hashes of their tokens.

A person is a folder of the inbox.  A token is shown once and stored nowhere; it says who sends a request.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from ladder.admission.inbox_entries import is_left_alone
from ladder.errors import LadderError, NotFound, UsageProblem, short
from ladder.home.home import Home
from ladder.home.packing import PEOPLE
from ladder.registry.bot_names import look_of
from ladder.registry.handles import NAME, NAME_RULE
from results.storage.disk import put_page
from results.storage.locking import await_briefly

TOKEN = "ldr_"  # noqa: S105 - how every token begins
RANDOM_BYTES = 32
"""The random bytes of a token, which follow in base64url."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who may upload."""

    name: str
    """The name of the folder in the inbox."""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """Of the token."""
    added: datetime
    renewed: datetime | None = None
    ends: date | None = None
    """The last day, in UTC, on which the token is valid; None: it does not end."""
    bots: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    """How many bots may play at a time, 0: any number; None: as `[inbox] bots_a_person` says."""

    @property
    def has_ended(self) -> bool:
        """Whether the token is not valid any more."""
        return self.ends is not None and datetime.now(UTC).date() > self.ends


class DamagedPeople(LadderError):
    """The file of the people cannot be read."""


class People:
    """All people of a home, by the look of their names."""

    def __init__(self, persons: Mapping[str, Person]) -> None:
        self._persons = dict(persons)

    @classmethod
    def read(cls, home: Home) -> "People":
        """Return the people of *home*.  Raises DamagedPeople."""
        path = home.path / PEOPLE
        try:
            persons = msgspec.json.decode(path.read_bytes(), type=list[Person])
        except FileNotFoundError:
            return cls({})
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            hint = f"correct {path}, or remove it and type for each person: ladder people add NAME"
            raise DamagedPeople(f"{path} cannot be read: {short(str(error), 200)}", hint) from None
        return cls({look_of(each.name): each for each in persons})

    def __iter__(self) -> Iterator[Person]:
        return iter(self._persons.values())

    def __contains__(self, name: str) -> bool:
        return look_of(name) in self._persons

    def of_token(self, token: str) -> Person | None:
        """Return whose *token* is; None for a wrong one and for one that has ended."""
        wanted, found = _hash(token), None
        for person in self:  # all of them: how long it takes tells nothing
            if hmac.compare_digest(person.sha256, wanted):
                found = person
        return None if found is None or found.has_ended else found

    def find(self, name: str) -> Person:
        """Return the person called *name*, in any case.  Raises NotFound."""
        if found := self._persons.get(look_of(name)):
            return found
        raise NotFound(f"there is no person {short(repr(name))}", "ladder people")

    def add(self, name: str, *, ends: date | None = None, bots: int | None = None) -> str:
        """Add a person; return the token.  Raises UsageProblem."""
        if not NAME.fullmatch(name) or is_left_alone(name):
            raise UsageProblem(
                f"{short(repr(name))} cannot be the name of a person: expected {NAME_RULE}",
                "ladder people add ann",
            )
        if there := self._persons.get(look_of(name)):
            raise UsageProblem(f"there is a person {there.name} already", f"ladder people renew {there.name}")
        token = TOKEN + secrets.token_urlsafe(RANDOM_BYTES)
        self._persons[look_of(name)] = Person(name, _hash(token), datetime.now(UTC), ends=ends, bots=bots)
        return token

    def renew(self, name: str) -> str:
        """Give the person called *name* another token, and return it.  Raises NotFound, UsageProblem."""
        person, token = self.find(name), TOKEN + secrets.token_urlsafe(RANDOM_BYTES)
        if person.has_ended:
            again = f"ladder people remove {person.name}; ladder people add {person.name}"
            raise UsageProblem(f"what {person.name} may do here ended on {person.ends}", again)
        now = datetime.now(UTC)
        self._persons[look_of(name)] = msgspec.structs.replace(person, sha256=_hash(token), renewed=now)
        return token

    def remove(self, name: str) -> Person:
        """Remove the person called *name*, whose token is wrong from now on.  Raises NotFound."""
        self.find(name)
        return self._persons.pop(look_of(name))


@contextmanager
def changing_people(home: Home) -> Iterator[People]:
    """Yield the people of *home*, and store them unless an error ends it.  Raises DamagedPeople, OSError."""
    with open(await_briefly(home.path / f".{PEOPLE}.lock"), closefd=True):  # noqa: PTH123 - it closes the lock
        people = People.read(home)
        yield people
        stored = msgspec.json.format(msgspec.json.encode([*people]))
        put_page(home.path / PEOPLE, stored + b"\n", 0o600)


def most_bots(home: Home, name: str) -> int:
    """Return how many bots of the person called *name* may play at a time; 0: any number."""
    with suppress(DamagedPeople, NotFound):
        if (own := People.read(home).find(name).bots) is not None:
            return own
    return home.settings.inbox.bots_a_person


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
