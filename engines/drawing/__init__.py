"""Pictures of tables as SVG: the parts that all games share.

A game draws what the holders of its views know.  A picture is a list of parts, each with a key, so that a
page can tell what is new in a picture, what moved, and what a click means.  Colours stand in board.css.

picture          a picture and its parts; small pictures of cards and tokens, for a line of text
parts            cards, backs, places, tokens, stars, piles, hands; the text of a game without drawing
shapes           SVG elements as text; the shapes that tell suits and seats apart without a colour
widths           how wide a line of text can be, in whatever font it will be read
"""

from engines.drawing.parts import (
    CARD_HEIGHT,
    CARD_WIDTH,
    NO_OUTLINE,
    back,
    card,
    draw_text,
    edge,
    hand,
    heading,
    label,
    outline,
    pile,
    seat_label,
    seat_name,
    slot,
    star,
    token,
)
from engines.drawing.picture import (
    WIDTH,
    Caption,
    Layout,
    Part,
    Picture,
    arrange,
    describe,
    make_part,
    sketch_things,
    style_sheet,
    viewpoint,
)
from engines.drawing.shapes import (
    MARKS,
    SEAT_MARKS,
    circle,
    escape,
    line,
    mark,
    path,
    prose,
    rectangle,
    seat_mark,
    star_row,
    words,
)
from engines.drawing.widths import SMALLEST, cut, text_width, wrap

__all__ = [
    "CARD_HEIGHT",
    "CARD_WIDTH",
    "MARKS",
    "NO_OUTLINE",
    "SEAT_MARKS",
    "SMALLEST",
    "WIDTH",
    "Caption",
    "Layout",
    "Part",
    "Picture",
    "arrange",
    "back",
    "card",
    "circle",
    "cut",
    "describe",
    "draw_text",
    "edge",
    "escape",
    "hand",
    "heading",
    "label",
    "line",
    "make_part",
    "mark",
    "outline",
    "path",
    "pile",
    "prose",
    "rectangle",
    "seat_label",
    "seat_mark",
    "seat_name",
    "sketch_things",
    "slot",
    "star",
    "star_row",
    "style_sheet",
    "text_width",
    "token",
    "viewpoint",
    "words",
    "wrap",
]
