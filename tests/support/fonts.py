"""Chromium with the fonts of one family alone, as on a machine that has no others."""

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

import pytest

from support.need import need_program


class Family(NamedTuple):
    """A family of fonts that distributions of Linux install."""

    sans: str
    mono: str
    """Its sister in which all letters are as wide; a machine need not have it."""
    package: str
    """Debian's name of it."""


FAMILIES: Final = {
    "dejavu": Family("DejaVu Sans", "DejaVu Sans Mono", "fonts-dejavu"),  # the widest in common use
    "liberation": Family("Liberation Sans", "Liberation Mono", "fonts-liberation"),  # as wide as Arial
    "noto": Family("Noto Sans", "Noto Sans Mono", "fonts-noto-core fonts-noto-mono"),  # no arrows
    "noto-cjk": Family("Noto Sans CJK SC", "Noto Sans Mono CJK SC", "fonts-noto-cjk"),  # 60 MB
}
_SETTINGS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{folder}/cache</cachedir>
  <alias binding="same"><family>monospace</family><prefer><family>{mono}</family></prefer></alias>
  <match target="pattern">
    <edit name="family" mode="append_last"><string>{sans}</string></edit>
  </match>
</fontconfig>
"""
_REGULAR, _BOLD = 80, 200
"""The weights, as fontconfig counts them."""


def files_of(name: str) -> list[Path]:
    """Return the regular and the bold files of the family *name* of FAMILIES; skip the test without them."""
    family = FAMILIES[name]
    sans, mono = (_files(one) for one in (family.sans, family.mono))
    if len(sans) < 2:
        pytest.skip(f"{family.sans} is not installed, or not whole: apt install {family.package}")
    return [*dict.fromkeys(sans + mono)]


def only(name: str, folder: Path) -> dict[str, str]:
    """Return an environment in which a program finds the family *name* alone.

    *folder* takes its settings, and links to its files.
    """
    family, fonts, settings = FAMILIES[name], folder / name, folder / f"{name}.conf"
    fonts.mkdir()
    for file in files_of(name):
        (fonts / file.name).symlink_to(file)
    settings.write_text(
        _SETTINGS.format(folder=escape(str(fonts)), sans=family.sans, mono=family.mono), "utf-8"
    )
    return {**os.environ, "FONTCONFIG_FILE": str(settings)}


@cache
def characters_of(name: str) -> set[str]:
    """Return the characters that the regular font of the family *name* has a shape for."""
    found: set[str] = set()
    for part in _ask(FAMILIES[name].sans, _REGULAR, "%{charset}").split():
        first, _, last = part.partition("-")
        found.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return found


def _files(family: str) -> list[Path]:
    """Return the files of *family*, without its slanted, narrow and light styles."""
    return [
        Path(line) for weight in (_REGULAR, _BOLD) for line in _ask(family, weight, "%{file}\n").splitlines()
    ]


def _ask(family: str, weight: int, form: str) -> str:
    pattern = f"{family}:width=100:slant=0:weight={weight}"
    command = [need_program("fc-list", "fontconfig"), "--format", form, pattern]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
