// What a bot sees: an object, as the README.md of the game describes it, to be read with json_get().
// `ladder new cpp NAME --game GAME` writes the types of one game here.
#pragma once

#include "reading.hpp"

using View = Raw;
