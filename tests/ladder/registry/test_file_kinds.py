"""What is handed in in place of a bot is named for what it is."""

import io
import zipfile

import pytest
from support.submitting import open_submission

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.file_kinds import POINTER_HEAD


def zipped(*names):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return data.getvalue()


KINDS = [
    ("essay.pdf", b"%PDF-1.7\n", "a PDF document"),
    ("bot.ipynb", b'{\n "cells": [\n  {"cell_type": "code"}], "nbformat": 4}', "a Jupyter notebook"),
    ("bot.docx", zipped("[Content_Types].xml", "word/document.xml"), "a document of an office program"),
    ("bot.odt", zipped("mimetype", "content.xml"), "a document of an office program"),
    ("bot.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "a document of an office program"),
    ("bot.exe", b"MZ\x90\x00", "a program for Windows"),
    ("bot", b"\xcf\xfa\xed\xfe", "a program for macOS"),
    ("bot.py", "print('hello')\n".encode("utf-16"), "a text in UTF-16"),
    ("bot.py", "print('hello')\n".encode("utf-16-le"), "a text in UTF-16"),
    ("bot.py", "print('hello')\n".encode("utf-16-be"), "a text in UTF-16"),
    ("bot.pyc", b"\xa7\r\r\n" + bytes(100), "a compiled Python file"),
    ("bot.c", b"int main(void) { return 0; }", r"source of C"),
    ("Bot.java", b"class Bot {}", "source of Java"),
    ("start.bat", b"python bot.py\r\n", "a script for Windows"),
    ("bot.lnk", b"L\0\0\0\x01\x14\x02\0", "a shortcut of Windows"),
    ("Bot.class", b"\xca\xfe\xba\xbe\0\0\0\x41", "a compiled Java class"),
    ("bot.jar", zipped("META-INF/MANIFEST.MF", "Bot.class"), "an archive of compiled Java"),
    ("photo.jpg", b"\xff\xd8\xff\xe0JFIF", "a picture"),
    ("shot.png", b"\x89PNG\r\n\x1a\n", "a picture"),
    ("bot.html", b"<!DOCTYPE html>\n<p>", "a web page"),
    ("notes.txt", b"my bot works like this", "a document"),
    ("bot", zipped("bot.py"), "a zip archive"),
]


@pytest.mark.parametrize(("name", "data", "what"), KINDS)
def test_it_is_named_and_the_author_is_told_what_to_do(tmp_path, name, data, what):
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(UsageProblem, match=rf"{name} is {what}, not a bot") as caught:
        read_manifest(file, GAMES)
    assert caught.value.hint
    if name != "bot.py":
        with pytest.raises(
            UsageProblem, match=rf"has no bot\.toml; it holds {what}, {name}|has no bot\.toml$"
        ):
            read_manifest(tmp_path, GAMES)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rat.py", b"print()"),
        ("rat.py", zipped("__main__.py")),  # Python runs such an archive
        ("rat.py", b""),
        ("rat.py", "print('\u4e2d\u6587')".encode()),
        ("rat.sh", b"#!/bin/sh\n"),
        ("rat.js", b'{ "cells" : 1 }'),
    ],
)
def test_a_script_is_a_script(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    assert "rat" == read_manifest(tmp_path / name, GAMES).name


def test_a_manifest_in_utf_16_is_named(tmp_path):
    (tmp_path / "bot.toml").write_bytes('name = "rat"\n'.encode("utf-16"))
    with pytest.raises(UsageProblem, match=r"bot\.toml is a text in UTF-16, not TOML"):
        read_manifest(tmp_path, GAMES)


def test_a_program_of_linux_is_no_text_however_many_zeros_it_has(tmp_path):
    (tmp_path / "rat").write_bytes(b"\x7fELF" + bytes(8000))
    assert ("./rat",) == read_manifest(tmp_path / "rat", GAMES).run
    (tmp_path / "data").write_bytes(b"\x01\0\x02\0" * 100)
    with pytest.raises(UsageProblem, match="data is no program: nothing says what runs it") as caught:
        read_manifest(tmp_path / "data", GAMES)
    assert caught.value.hint.startswith("begin it with a line such as #!")


def test_a_document_that_is_called_zip_is_named(tmp_path):
    (tmp_path / "all.zip").write_bytes(zipped("[Content_Types].xml", "word/document.xml"))
    with (
        pytest.raises(UsageProblem, match="a document of an office program"),
        open_submission(tmp_path / "all.zip"),
    ):
        pass


@pytest.mark.parametrize(
    ("inside", "hint"), [(["a.zip"], "submit a.zip itself"), (["a.zip", "b.rar"], "unpack it")]
)
def test_an_archive_of_archives_is_no_bot(tmp_path, inside, hint):
    (tmp_path / "all.zip").write_bytes(zipped(*inside))
    with (
        pytest.raises(UsageProblem, match=r"all\.zip holds archives, and no bot: 'a\.zip'") as caught,
        open_submission(tmp_path / "all.zip"),
    ):
        pass
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("files", "said", "advice"),
    [
        (
            ["a.py", "b.py"],
            "and several scripts: a.py, b.py",
            'run = ["{python}", "a.py"]',
        ),
        (["ann/bot.py", "bob/main.js"], "folders in it have a program each: ann, bob", "ladder submit --all"),
        (["Makefile", "bot.c"], "has no bot.toml$", 'build = "make" and run = ["./NAME"]'),
        (
            ["My.csproj"],
            "has no bot.toml$",
            'for My.csproj, write in bot.toml: build = "dotnet build -o out"',
        ),
        (["Cargo.toml"], "has no bot.toml$", 'in bot.toml: run = ["target/release/NAME"]'),
    ],
)
def test_a_folder_without_a_manifest_is_told_what_is_missing(tmp_path, files, said, advice):
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    with pytest.raises(UsageProblem, match=said) as caught:
        read_manifest(tmp_path, GAMES)
    assert advice in caught.value.hint


def test_a_pointer_of_git_lfs_is_named(tmp_path):
    (tmp_path / "bot.py").write_bytes(POINTER_HEAD + b"github.com/spec/v1\n")
    with pytest.raises(UsageProblem, match=r"bot\.py is a pointer of git-lfs") as caught:
        read_manifest(tmp_path / "bot.py", GAMES)
    assert "type git lfs pull, and submit again" == caught.value.hint
