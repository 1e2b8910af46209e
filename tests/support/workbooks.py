"""Read a workbook as a spreadsheet does: each cell with its kind."""

import re
from io import BytesIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def cells_of(data):
    """Return the rows of the only sheet: texts, numbers, booleans, None; a formula is an error."""
    with ZipFile(BytesIO(data)) as parts:
        names = parts.namelist()
        sheet = ET.fromstring(parts.read("xl/worksheets/sheet1.xml"))
        shared = []
        if "xl/sharedStrings.xml" in names:
            strings = ET.fromstring(parts.read("xl/sharedStrings.xml"))
            shared = ["".join(each.itertext()) for each in strings.iter(f"{SPACE}si")]
    assert not [*sheet.iter(f"{SPACE}f")], "a formula"
    assert not [*sheet.iter(f"{SPACE}hyperlink")], "a link"
    rows = []
    for row in sheet.iter(f"{SPACE}row"):
        cells = {}
        for cell in row.iter(f"{SPACE}c"):
            place = 0
            for letter in re.match("[A-Z]+", cell.get("r"))[0]:
                place = 26 * place + ord(letter) - 64
            value = cell.findtext(f"{SPACE}v")
            match cell.get("t"):
                case "s":
                    cells[place] = shared[int(value)]
                case "inlineStr":
                    cells[place] = "".join(cell.itertext())
                case "b":
                    cells[place] = value == "1"
                case _:
                    cells[place] = float(value)
        rows.append([cells.get(place) for place in range(1, max(cells, default=0) + 1)])
    return rows
