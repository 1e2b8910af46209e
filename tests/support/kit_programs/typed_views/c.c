/* Reads a view and prints some of its parts. */
#include "view.h"

static const char *word(bool truth)
{
    return truth ? "true" : "false";
}

int main(void)
{
    static char line[65536];
    struct json_arena arena = {NULL};
    const char *error = NULL;
    const struct json *value = json_read(&arena, line, fread(line, 1, sizeof line, stdin), &error);
    const View *view = read_View(value, &arena);
    printf("%lld %.2f %s %s\n", (long long)view->for_, view->_2nd, word(view->field), view->a_b);
    printf("%s %s\n", view->suits.items[0], view->suits.items[1] ? "some" : "none");
    printf("%zu:", view->grid.count);
    for (size_t i = 0; i < view->grid.count; i++) printf(" %zu", view->grid.items[i].count);
    printf("; grid[2][0] = %lld\n", (long long)view->grid.items[2].items[0]);
    for (size_t i = 0; i < view->flags.count; i++) printf("%s%s", i ? " " : "", word(view->flags.items[i]));
    printf("\n%s: %s %s\n", view->bag.items[0].key, view->bag.items[0].value.items[0], view->bag.items[0].value.items[1]);
    printf("%lld %s %s\n", (long long)*view->who, view->whom ? "some" : "none", view->absent.items ? "there" : "absent");
    printf("%s %s %s\n", view->tree->name, view->tree->left->name, view->tree->left->left ? "some" : "none");
    for (size_t i = 0; i < view->trees.count; i++) printf("%s%s", i ? " " : "", view->trees.items[i]->name);
    const struct json *pair = json_first(view->pair);
    printf("\n%s %lld %s\n", json_text(pair), (long long)json_integer(pair->next), json_text(view->either));
    json_clear(&arena);
}
