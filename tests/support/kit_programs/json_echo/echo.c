/* Reads lines; writes each as JSON again, or what is wrong with it. */
#include "json.h"

static void write_value(const struct json *value)
{
    switch (value->kind) {
    case JSON_NULL: printf("null"); break;
    case JSON_BOOL: printf(json_truth(value) ? "true" : "false"); break;
    case JSON_STRING: json_write_text(stdout, value->text, value->size); break;
    case JSON_NUMBER:
        if (value->is_integer) printf("%lld", (long long)json_integer(value));
        else printf("%.17e", json_number(value));
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        putchar(value->kind == JSON_ARRAY ? '[' : '{');
        for (const struct json *item = json_first(value); item; item = item->next) {
            if (item != value->first) putchar(',');
            if (item->key) {
                json_write_text(stdout, item->key, item->key_size);
                putchar(':');
            }
            write_value(item);
        }
        putchar(value->kind == JSON_ARRAY ? ']' : '}');
    }
}

int main(void)
{
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        struct json_arena arena = {NULL};
        const char *error = NULL;
        const struct json *value = json_read(&arena, line, strlen(line) - 1, &error);
        if (value) write_value(value);
        else printf("error: %s", error);
        putchar('\n');
        json_clear(&arena);
    }
}
