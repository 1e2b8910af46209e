"""What a bot sees: an object as the README.md of the game describes it.

`ladder new python NAME --game GAME` writes the types of one game here.
"""

from typing import Any

View = dict[str, Any]
