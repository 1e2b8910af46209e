"""`ladder people`: who may upload to `ladder serve --uploads`."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows
from ladder.errors import UsageProblem
from ladder.run.option import Argument, Option, WrongOption, whole
from results.reports.document import Column

COLUMNS = ("person", "state", "since", "ends", "bots")


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"expected a day such as 2027-07-01, got: {text!r}") from None
    if day < datetime.now(UTC).date():
        raise ValueError(f"expected a day that is still to come, got: {text}")
    return day


PersonArgument = Annotated[str, Argument("The person.", metavar="PERSON")]


def people(context: typer.Context, home: HomeOption = None, format: FormatOption = "table") -> None:  # noqa: A002 - the option's name
    """List the people who may upload bots.

    Each has a token, which stands for the person's name: `ladder people add ann` prints a new one.

    Example: ladder people
    """
    from ladder.admission.people import People

    if context.invoked_subcommand:
        return
    rows = [
        {
            "person": each.name,
            "state": "ended" if each.has_ended else "valid",
            "since": f"{each.renewed or each.added:%Y-%m-%d}",
            "ends": each.ends and each.ends.isoformat(),
            "bots": each.bots,
        }
        for each in People.read(existing_home(home))
    ]
    print_rows(rows, [Column(key, key, always=key not in ("ends", "bots")) for key in COLUMNS], format)
    if not rows:
        note("no people yet", "ladder people add ann")


def add(
    person: Annotated[str | None, Argument("The name of a folder in the inbox.", metavar="PERSON")] = None,
    bots: Annotated[
        int | None,
        Option(
            "The most bots of the person that play at a time, whatever [inbox] says; 0: any number.",
            metavar="N",
            read=whole(0, 10_000),
        ),
    ] = None,
    ends: Annotated[
        date | None, Option("The last day on which the token is valid, in UTC.", metavar="DAY", read=_day)
    ] = None,
    roster: Annotated[
        Path | None,
        Option("Add everyone in this CSV file, instead: by handle, or else file.", metavar="FILE"),
    ] = None,
    tokens: Annotated[
        Path | None, Option("Write the tokens of --roster to this new CSV file.", metavar="FILE")
    ] = None,
    home: HomeOption = None,
) -> None:
    """Let a person upload bots, and print the person's token.

    The token is shown once. Send it to the person, who keeps it secret.

    Example: ladder people add ann --bots 2
    """
    from ladder.admission.people import changing_people
    from ladder.home.class_list import read_class_list
    from results.storage.disk import put_page

    if bool(person) == bool(roster) or bool(roster) != bool(tokens):
        what = "expected a person, or --roster and --tokens"
        raise UsageProblem(what, "ladder people add ann, or with --roster names.csv --tokens tokens.csv")
    where = existing_home(home)
    if not roster or not tokens:
        with changing_people(where) as people:
            token = people.add(str(person), ends=ends, bots=bots)
        _print_token(token)
        return
    if tokens.exists():
        raise WrongOption("--tokens", f"{tokens} exists already, and its tokens would be lost")
    names = [entrant.handle or entrant.file for entrant in read_class_list(roster).entrants]
    with changing_people(where) as people:
        new = [name for name in names if name not in people]
        lines = [f"{name},{people.add(name, ends=ends, bots=bots)}\n" for name in new]
        put_page(tokens, "".join(["person,token\n", *lines]), 0o600)
    print(f"added: {len(new)}")
    if there := len(names) - len(new):
        note(f"{there} were here before; their tokens stay", "ladder people renew PERSON, for another token")


def renew(person: PersonArgument, home: HomeOption = None) -> None:
    """Give a person a new token; the old one is wrong from now on.

    Example: ladder people renew ann
    """
    from ladder.admission.people import changing_people

    with changing_people(existing_home(home)) as people:
        token = people.renew(person)
    _print_token(token)


def remove(person: PersonArgument, home: HomeOption = None) -> None:
    """Let a person upload no more; the person's bots and results stay.

    Example: ladder people remove ann
    """
    from ladder.admission.people import changing_people

    with changing_people(existing_home(home)) as people:
        gone = people.remove(person)
    print(f"removed: {gone.name}")
    note("the person's bots play on, except remote ones", "ladder bots retire BOT, for each that should not")


def _print_token(token: str) -> None:
    print(token)
    note("this is shown once; the person types", "ladder push my_bot.py --to URL, with it as LADDER_TOKEN")
