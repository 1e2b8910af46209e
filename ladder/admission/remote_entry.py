"""Hand in a bot that runs on its author's machine: all that is put into the inbox is its manifest."""

import io
import json
import zipfile

from ladder.admission.arrivals import Arrival, is_of_other
from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.upload_states import UploadStates
from ladder.errors import UsageProblem
from ladder.home.home import Home, open_home
from ladder.registry.bot_archive import ZIP
from ladder.registry.bot_manifest import check_name
from ladder.registry.version import LONGEST_NOTE


def name_is_taken(bot: str) -> UsageProblem:
    """Return the refusal of the name of another person's *bot*."""
    return UsageProblem(f"the name {bot!r} is taken", "use another name")


def hand_in_remote(home: Home, folders: InboxFolders, person: str, bot: str, note: str) -> None:
    """Put the manifest of *bot* into the inbox if it is new, or has another *note*: a new version of it.

    Raises UsageProblem for a name that *person* may not use.
    """
    check_name(bot)
    home = open_home(home.path)  # as it is now
    if is_of_other(home, person, file := f"{bot}{ZIP}"):
        raise name_is_taken(bot)
    mine = [version for version in home.roster.versions() if version.bot == bot and not version.aside]
    newest = mine[-1].manifest if mine else None
    if newest and newest.remote and note in ("", newest.description):
        return
    if newest and not note:
        raise UsageProblem(f"{bot} runs on the ladder's machine", "add --new-version NOTE")
    if not note.isprintable() or len(note) > LONGEST_NOTE:
        raise UsageProblem("the note is too long, or cannot be printed", f"at most {LONGEST_NOTE} characters")
    told = f"description = {json.dumps(note, ensure_ascii=False)}\n" if note else ""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.toml", f"name = {json.dumps(bot)}\nremote = true\n{told}")
    most = home.settings.inbox.waiting
    if most and UploadStates(folders).count_unanswered(person, file) >= most:
        raise UsageProblem(f"{most} of your uploads wait for their answers", "try again when one is there")
    arrival = Arrival(folders.inbox, person)
    try:
        arrival.write(packed.getvalue())
        arrival.sync()
        arrival.keep(file)
    finally:
        arrival.end()
