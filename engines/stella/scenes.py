"""The pictures of Stella as scenes: some silhouettes before a sky and a land, in colours that set a mood.

scenes.json has the name and the scene of each picture of our deck.  A scene is a mood and some silhouettes,
each after a sign for its place: `night <lighthouse ^moon .bottle ~waves`.  A picture of a user's own deck
gets a scene that is made of its tags, and has no name.

silhouettes.json has the shapes, as SVG paths in a square of 24 units: most stand on its lower edge.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from engines import drawing
from engines.stella.deck import DEFAULT

SCENE: Final = (109, 80)
"""Width and height of a scene."""
_HORIZON: Final = 56
_SQUARE: Final = 24


class Silhouette(NamedTuple):
    """A shape in one colour, as SVG paths; each may be empty."""

    body: str = ""
    """What is filled, by the rule "evenodd"."""
    limbs: str = ""
    """Lines in the colour of the body."""
    cuts: str = ""
    """Lines in the body, in the colour of the sky behind it."""
    glows: bool = False
    """Whether it has the bright colour of a scene."""


class Slot(NamedTuple):
    """Where in a scene a silhouette stands."""

    x: float
    """Its middle."""
    bottom: float
    scale: float


SLOTS: Final = {
    "=": Slot(54.5, 75, 2.5),
    "<": Slot(31, 74, 2.2),
    ">": Slot(78, 74, 2.2),
    '"': Slot(54.5, 31, 1.1),
    "+": Slot(54.5, 46, 1.35),
    "^": Slot(91, 31, 1.1),
    "'": Slot(17, 31, 1.1),
    ",": Slot(17, 77, 1.1),
    ".": Slot(92, 77, 1.1),
    "_": Slot(54.5, 78, 1.0),
    "~": Slot(54.5, 96, 1.5),
}
_BELOW: Final = Slot(54.5, 76, 1.9)
"""The large one in the middle, if another one is above it."""

_MOOD_TAGS: Final = {
    "night": "night moon star dream sleep ghost",
    "sea": "sea water river ship fish whale sailor island rain",
    "dawn": "dawn sun light fire escape freedom journey",
    "spring": "spring garden growth flower tree forest field harvest fruit hope love",
    "winter": "winter snow ice mountain cloud sky distance",
    "storm": "storm fog wind danger war chaos fall ruin betrayal lie sorrow loss",
    "magic": "magic theatre circus mask disguise dance music celebration",
    "desert": "desert time border soldier castle exile thirst",
    "dark": "fear death secret shadow prison smoke monster loneliness silence",
}
"""The moods of tags, for decks of users: the first tag that has one decides, else it is "warm"."""
MOODS: Final = (*_MOOD_TAGS, "warm")
"""What the colours of a scene may say; board.css has them."""
_SHAPE_TAGS: Final = {
    "bird": "bird freedom escape wind",
    "book": "book library school wisdom science identity",
    "bottle": "bottle",
    "bread": "bread feast hunger",
    "cake": "celebration",
    "kettle": "kitchen",
    "apple": "fruit",
    "honeypot": "honey",
    "frame": "art colour mirror",
    "cage": "cage",
    "bars": "prison",
    "flag": "border",
    "cloud": "cloud fog sky silence",
    "smoke": "smoke",
    "bolt": "storm",
    "map": "map journey distance",
    "island": "island",
    "cross": "wound medicine",
    "crowd": "crowd family twins rivalry",
    "crown": "crown power pride greed",
    "king": "king",
    "queen": "queen",
    "coins": "gold market",
    "danger": "danger fear chaos fall ruin",
    "ghost": "ghost death",
    "serpent": "monster",
    "dragon": "dragon",
    "face": "giant",
    "dice": "game luck toy choice mischief",
    "door": "door",
    "ladder": "ladder",
    "umbrella": "rain",
    "drop": "water sorrow loss thirst",
    "eye": "truth curiosity secret blindness",
    "girl": "child youth birth",
    "man": "loneliness shadow",
    "thief": "thief",
    "hand": "hand",
    "church": "faith",
    "flame": "fire",
    "candle": "candle",
    "lamp": "lamp",
    "bulb": "light invention",
    "gift": "gift surprise promise sacrifice",
    "heart": "heart love friendship hope",
    "hourglass": "time patience",
    "clock": "clock",
    "old": "old_age memory",
    "house": "house home city",
    "key": "key",
    "leaf": "growth autumn harvest field",
    "rose": "flower garden spring",
    "letter": "letter lie betrayal farewell exile",
    "mask": "mask theatre disguise",
    "tent": "circus",
    "moon": "moon night",
    "bed": "sleep dream",
    "note": "music",
    "dancer": "dance",
    "cat": "cat",
    "fox": "fox",
    "wolf": "wolf animal",
    "mouse": "mouse",
    "tiger": "tiger",
    "elephant": "elephant",
    "horse": "horse",
    "frog": "frog",
    "snail": "snail",
    "bee": "insect",
    "peaks": "mountain desert",
    "scales": "balance justice peace",
    "ship": "ship sailor",
    "snow": "snow winter ice",
    "spark": "magic",
    "stairs": "stairs",
    "star": "star",
    "sun": "sun dawn",
    "sword": "blade war courage",
    "soldier": "soldier",
    "yarn": "thread",
    "tower": "tower",
    "castle": "castle",
    "tree": "tree forest",
    "waves": "sea river",
    "fish": "fish",
    "whale": "whale",
    "wheel": "machine work",
    "tram": "train",
    "half-bridge": "bridge",
}
_IN_THE_SKY: Final = frozenset(
    ["bird", "bolt", "cloud", "moon", "note", "snow", "spark", "star", "sun", "drop"]
)


def _read(tags: Mapping[str, str]) -> dict[str, str]:
    return {tag.replace("_", " "): each for each, words in tags.items() for tag in words.split()}


_MOOD_OF: Final = _read(_MOOD_TAGS)
_SHAPE_OF: Final = _read(_SHAPE_TAGS)
_HERE: Final = Path(__file__).parent
_SCENES: Final[dict[str, list[str]]] = json.loads((_HERE / "scenes.json").read_text("utf-8"))["scenes"]
SHAPES: Final = {
    name: Silhouette(**shape)
    for name, shape in json.loads((_HERE / "silhouettes.json").read_text("utf-8"))["shapes"].items()
}
"""People, animals and things, by their names."""


@cache
def picture_names() -> dict[str, str]:
    """Return the names of the pictures of our deck, for people, by their ids."""
    return {each: name for each, (name, _) in _SCENES.items()}


def name_picture(picture: str, sentence: str) -> str:
    """Return the name of *picture*, for people; its *sentence* if it is of a user's own deck."""
    return _SCENES[picture][0] if _is_ours(picture, sentence) else sentence


def _is_ours(picture: str, sentence: str) -> bool:
    # a user may have copied our deck and changed it: the id alone does not say what is on a picture
    ours = DEFAULT.pictures.get(picture)
    return ours is not None and ours.text == sentence


@lru_cache(maxsize=512)
def scene(picture: str, sentence: str, tags: tuple[str, ...]) -> str:
    """Return the scene of a picture as an `<svg>` of the size SCENE, for a board and for a small card."""
    mood, *placed = (_SCENES[picture][1] if _is_ours(picture, sentence) else _scene_of(tags)).split()
    width, height = SCENE
    if placed:
        signs = {each[0] for each in placed}
        content = f'<rect class="sky" width="{width}" height="{height}"/>'
        content += f'<rect class="land" y="{_HORIZON}" width="{width}" height="{height - _HORIZON}"/>'
        content += "".join(_place(each[0], each[1:], has_roof=bool(signs & {'"', "+"})) for each in placed)
    else:  # the tags of a deck of one's own may be any words, and none of them has a shape
        content = drawing.prose(sentence, 5, 4, width - 10, 19, "muted", lines=3)
    return (
        f'<svg class="scene mood-{mood}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{drawing.escape(sentence)}</title>{content}</svg>"
    )


def _place(sign: str, name: str, *, has_roof: bool) -> str:
    """Return the shape *name* where *sign* puts it."""
    x, bottom, scale = _BELOW if sign == "=" and has_roof else SLOTS[sign]
    body, limbs, cuts, glows = SHAPES[name]
    kind = "glow" if glows else "figure"
    paths = [(limbs, f"{kind} limb"), (body, kind), (cuts, "cut limb")]
    drawn = "".join(drawing.path(data, kind=classes) for data, classes in paths if data)
    at = f"{x - _SQUARE * scale / 2:g} {bottom - _SQUARE * scale:g}"
    return f'<g transform="translate({at}) scale({scale:g})">{drawn}</g>'


def _scene_of(tags: Sequence[str]) -> str:
    """Return a scene of the silhouettes of *tags*: at most two on the ground, one in the sky, and waves."""
    mood = next((_MOOD_OF[tag] for tag in tags if tag in _MOOD_OF), "warm")
    shapes = [*dict.fromkeys(_SHAPE_OF[tag] for tag in tags if tag in _SHAPE_OF)]
    ground = [each for each in shapes if each not in _IN_THE_SKY and each != "waves"][:2]
    sky = [each for each in shapes if each in _IN_THE_SKY][:1]
    signs = "=" if len(ground) == 1 else "<>"
    placed = [sign + each for sign, each in zip(signs, ground, strict=False)]
    placed += ["^" + each if ground else "=" + each for each in sky]
    return " ".join([mood, *placed, *(["~waves"] if "waves" in shapes else [])])
