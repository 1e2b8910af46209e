/* What a bot sees: an object, as the README.md of the game describes it, to be read with json_get().
   `ladder new c NAME --game GAME` writes the types of one game here. */
#ifndef VIEW_H
#define VIEW_H

#include "json.h"

typedef struct json View;

static inline const View *read_View(const struct json *value, struct json_arena *arena)
{
    (void)arena;
    return value;
}

#endif
