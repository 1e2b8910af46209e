"""Custom rule options, such as a deck: wherever options are stored, each is stored once, by its hash."""

from collections.abc import Mapping

from engines.game import Json
from engines.playout import deal_digest


def custom_values(options: Mapping[str, Json]) -> dict[str, Json]:
    """Return the custom values among *options* by their SHA-256."""
    return {deal_digest(value): value for value in options.values() if isinstance(value, dict)}


def replace_custom(options: Mapping[str, Json]) -> dict[str, Json]:
    """Return *options* as they are stored, with {"sha256": ...} in place of each custom value."""
    return {
        option: {"sha256": deal_digest(value)} if isinstance(value, dict) else value
        for option, value in options.items()
    }


def restore_custom(options: Mapping[str, Json], custom: Mapping[str, Json]) -> dict[str, Json]:
    """Return the options from which `replace_custom` made *options*; *custom* has the values by hash."""
    return {
        option: custom[value["sha256"]] if isinstance(value, dict) else value
        for option, value in options.items()
    }
