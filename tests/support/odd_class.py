"""A class of 69 who hand in bots for Stellar in odd ways, and what becomes of each."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

__all__ = ["ACCEPTED", "PROGRAMS", "REFUSED", "hand_in_oddly"]

BOT = """\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready","protocol":1}', flush=True)
    elif message["type"] == "act":
        choice = message["choice"]
        move = choice["options"][0] if choice["kind"] == "one" else choice["options"][: choice["low"]]
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
    elif message["type"] == "bye":
        break
"""
SHEBANG = "#!/usr/bin/env python3\n"
SCRIPT = SHEBANG + BOT
ANSWER = '        print(json.dumps({"id": message["id"], "move": move}), flush=True)\n'
READY = """        print('{"type":"ready","protocol":1}', flush=True)\n"""
MANIFEST = 'name = "{name}"\nrun = ["{{python}}", "bot.py"]\n'


class Entry(NamedTuple):
    """What a student hands in."""

    name: str
    """Of the file or folder."""
    make: Callable[[Path], object]
    """Writes it at a path."""
    said: str = ""
    """Words that the answer must have."""


def text(content: str, mode: int = 0o644, encoding: str = "utf-8") -> Callable[[Path], object]:
    def make(path: Path) -> None:
        path.write_bytes(content.encode(encoding))
        path.chmod(mode)

    return make


def data(content: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content)


def folder(files: dict[str, str | bytes], modes: dict[str, int] | None = None) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        path.mkdir()
        for name, content in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
            (path / name).chmod((modes or {}).get(name, 0o644))

    return make


def packed(files: dict[str, str | bytes]) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                info = zipfile.ZipInfo("x")
                info.filename = name
                archive.writestr(info, content)

    return make


def tarred(files: dict[str, str], mode: str = "w:gz") -> Callable[[Path], object]:
    def make(path: Path) -> None:
        with tarfile.open(path, mode) as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content.encode())
                info.mode = 0o600
                archive.addfile(info, io.BytesIO(content.encode()))

    return make


def changed(old: str, new: str) -> Callable[[Path], object]:
    """Return what writes a bot with *new* in place of *old*."""
    assert old in SCRIPT
    return text(SCRIPT.replace(old, new))


PROGRAMS = Path(__file__).with_name("class_programs")
"""Bots in other languages, which play the first option."""
JAVASCRIPT, RUBY, SHELL, C = ((PROGRAMS / f"bot.{end}").read_text("utf-8") for end in ("js", "rb", "sh", "c"))
ACCEPTED = (
    Entry("plain.py", text(SCRIPT, 0o755)),
    Entry("no_bit.py", text(SCRIPT)),
    Entry("no_shebang.py", text(BOT)),
    Entry("crlf.py", text(SCRIPT.replace("\n", "\r\n"), 0o755)),
    Entry("bom.py", text("\ufeff" + SCRIPT, 0o755)),
    Entry("old_mac.py", text(SCRIPT.replace("\n", "\r"), 0o755)),
    Entry(
        "shebang_of_another.py", text("#!/usr/local/bin/python3.9\n" + BOT, 0o755), said="that is not here"
    ),
    Entry(
        "shebang_windows.py", text("#!C:\\Python312\\python.exe\r\n" + BOT, 0o755), said="that is not here"
    ),
    Entry("shebang_py.py", text("#! python\n" + BOT, 0o755)),
    Entry("Bot(1).py", text(SCRIPT)),
    Entry("机器人.py", text(SCRIPT), said="commands call it ji-qi-ren"),
    Entry("Zoë's bot — final FINAL.py", text(SCRIPT)),
    Entry("🦊.py", text(SCRIPT)),
    Entry("UPPER.PY", text(SCRIPT)),
    Entry("download.py.txt", text(SCRIPT)),
    Entry("node.js", text(JAVASCRIPT)),
    Entry("module.mjs", text(JAVASCRIPT.replace('require("readline")', '(await import("node:readline"))'))),
    Entry("ruby.rb", text(RUBY)),
    Entry("shell.sh", text("#!/bin/bash\r\n" + SHELL.replace("\n", "\r\n"))),
    Entry("tree", folder({"bot.toml": "\ufeff" + MANIFEST.format(name="tree"), "bot.py": BOT})),
    Entry("no_manifest", folder({"bot.py": BOT}), said="it has no bot.toml"),
    Entry("one_main", folder({"main.py": BOT, "README.txt": "my bot"})),
    Entry("two_files", folder({"bot.py": BOT.replace("sys", "sys, helper", 1), "helper.py": "x = 1\n"})),
    Entry("zipped.zip", packed({"bot.py": SCRIPT}), said="it has the name of its archive"),
    Entry("deep.zip", packed({"a/b/c/bot.py": SCRIPT})),
    Entry("mac.zip", packed({"mac/bot.py": SCRIPT, "__MACOSX/mac/._bot.py": b"\0\5", "mac/.DS_Store": b"x"})),
    Entry(
        "windows.zip", packed({"windows\\bot.toml": MANIFEST.format(name="windows"), "windows\\bot.py": BOT})
    ),
    Entry(
        "pycache.zip",
        packed(
            {
                "bot.py": SCRIPT,
                "__pycache__/bot.cpython-39.pyc": b"x",
                ".git/HEAD": b"ref",
                ".idea/x.xml": b"<x/>",
            }
        ),
    ),
    Entry("tar.tar.gz", tarred({"bot.toml": 'name = "tar"\nrun = ["./bot.py"]\n', "bot.py": SCRIPT})),
    Entry("tar_xz.tar.xz", tarred({"bot.py": SCRIPT}, "w:xz")),
    Entry(
        "c_source",
        folder(
            {
                "bot.toml": (
                    'name = "c_source"\nrun = ["./bot"]\ngames = ["stellar"]\n'
                    'build = ["cc", "-O1", "-o", "bot", "bot.c"]\n'
                ),
                "bot.c": C,
            }
        ),
    ),
    Entry(
        "fails_elsewhere.py",
        changed(
            "        choice = message", '        assert "row" in message["view"]\n        choice = message'
        ),
    ),
    Entry(
        "threads.py",
        changed(
            "import json, sys", "import json, sys, threading\nthreading.Thread(target=lambda: None).start()"
        ),
    ),
    Entry("slow_import.py", changed("import json, sys", "import json, sys, time\ntime.sleep(1)")),
)
"""What works, more or less as it is."""
REFUSED = (
    Entry("report.pdf", data(b"%PDF-1.7\n%\xe2\xe3"), "PDF"),
    Entry(
        "essay.docx",
        packed({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}),
        "a document of an office program",
    ),
    Entry("notebook.ipynb", text('{"cells": [], "nbformat": 4}'), "notebook"),
    Entry("program.exe", data(b"MZ\x90\0" + bytes(200)), "Windows"),
    Entry(
        "classes.jar",
        packed({"META-INF/MANIFEST.MF": "Main-Class: Bot\n", "Bot.class": b"\xca\xfe\xba\xbe"}),
        "compiled Java",
    ),
    Entry("photo.jpg", data(b"\xff\xd8\xff\xe0JFIF" + bytes(50)), "picture"),
    Entry("bot.rar", data(b"Rar!\x1a\x07\x01\0" + bytes(50)), "pack the bot as .zip or .tar.gz"),
    Entry("bot.7z", data(b"7z\xbc\xaf\x27\x1c" + bytes(50)), "pack the bot as .zip or .tar.gz"),
    Entry("broken.zip", data(b"PK\x03\x04 and no more"), "pack it again"),
    Entry(
        "archives.zip",
        packed({"one.zip": b"PK\x03\x04", "two.zip": b"PK\x03\x04"}),
        "holds archives, and no bot",
    ),
    Entry("nothing.py", data(b""), "an empty file"),
    Entry("nothing", lambda path: path.mkdir(), "empty"),
    Entry("nothing.zip", packed({}), "empty"),
    Entry("link.py", lambda path: path.symlink_to("/etc/hostname"), "is a link"),
    Entry("utf16.py", text(SCRIPT, encoding="utf-16"), "UTF-16"),
    Entry(
        "python2.py",
        text(SHEBANG.replace("3", "2") + "import sys\nfor line in sys.stdin:\n    print line\n"),
        "Python 2",
    ),
    Entry(
        "indent.py",
        changed("    elif message", "   elif message"),
        "Python cannot read line 8: IndentationError",
    ),
    Entry(
        "numpy_bot.py",
        changed("import json, sys", "import json, sys\nimport keras_of_mine"),
        "keras_of_mine is not on this machine",
    ),
    Entry(
        "chatty.py", changed(READY, '        print("Hello from my bot!")\n' + READY), "log to stderr, as in"
    ),
    Entry("debugs.py", changed(ANSWER, '        print("thinking", move)\n' + ANSWER), "log to stderr, as in"),
    Entry("unflushed.py", changed(ANSWER, ANSWER.replace(", flush=True", "")), "flush after every line"),
    Entry(
        "input_once.py",
        text(SHEBANG + 'message = input()\nprint(\'{"type":"ready","protocol":1}\')\n'),
        "let it go on until bye",
    ),
    Entry(
        "pretty.py",
        changed(
            ANSWER, '        print(json.dumps({"id": message["id"], "move": move}, indent=2), flush=True)\n'
        ),
        "write each answer on one line",
    ),
    Entry(
        "single_quotes.py",
        changed(ANSWER, '        print({"id": message["id"], "move": move}, flush=True)\n'),
        "write JSON, whose texts have double quotes",
    ),
    Entry(
        "index.py",
        changed(ANSWER, '        print(json.dumps({"id": message["id"], "move": 0}), flush=True)\n'),
        "a move is the text of an option",
    ),
    Entry(
        "wrong_id.py",
        changed(ANSWER, '        print(json.dumps({"id": "1", "move": move}), flush=True)\n'),
        "expected the id of a request",
    ),
    Entry(
        "invents.py",
        changed(ANSWER, '        print(json.dumps({"id": message["id"], "move": "attack"}), flush=True)\n'),
        "attack",
    ),
    Entry("writes.py", changed(READY, '        open("memory.json", "w")\n' + READY), "scratch_mb = 16"),
    Entry(
        "phones.py",
        changed(
            READY,
            '        import urllib.request; urllib.request.urlopen("http://example.org", timeout=2)\n'
            + READY,
        ),
        "a bot has no network here",
    ),
    Entry("loops.py", changed(ANSWER, "        while True: pass\n"), "no answer within"),
    Entry(
        "typo",
        folder({"bot.toml": 'nmae = "typo"\nrun = ["{python}", "bot.py"]\n', "bot.py": BOT}),
        "did you mean",
    ),
    Entry("no_program", folder({"program": BOT}), "has no bot.toml"),
    Entry(
        "leads_out.zip",
        packed({"../../bot.py": BOT}),
        "leads out of the folder",
    ),
    Entry("lost", folder({"bot.toml": 'name = "lost"\nrun = ["./bto"]\n', "bot": "x"}), "bto"),
    Entry("greedy.py", text(SCRIPT), "house bot"),
)
"""What cannot work."""


def hand_in_oddly(path: Path) -> None:
    path.mkdir()
    for entry in (*ACCEPTED, *REFUSED):
        entry.make(path / entry.name)
