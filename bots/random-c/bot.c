/* Plays any game at random.  The C standard library alone.

   Messages are compact and their keys come in a fixed order, so that a bot can search for what it needs:
   in an "act" the choice stands before events and view.  Options hold no escaped characters. */

#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

struct span { const char *text; size_t size; };

/* A small generator for the bot's own luck (splitmix64): same seed, same moves. */
static uint64_t state;

static uint64_t below(uint64_t bound)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
}

static const char *after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

static uint64_t number(const char *line, const char *key)
{
    const char *at = after(line, key);
    return at ? strtoull(at, NULL, 10) : 0;
}

/* Read the strings of the array that begins at text into options; return how many there are. */
static size_t read_options(const char *text, struct span *options)
{
    size_t count = 0;
    while (*text == '"' && count < MOST) {
        const char *end = strchr(++text, '"');
        options[count++] = (struct span){text, (size_t)(end - text)};
        text = end + 1;
        if (*text == ',') text++;
    }
    return count;
}

static void print_one(struct span *options, size_t count)
{
    struct span chosen = options[below(count)];
    printf("\"%.*s\"", (int)chosen.size, chosen.text);
}

/* First how many, then which. */
static void print_some(struct span *options, size_t count, uint64_t low, uint64_t high)
{
    uint64_t size = low + below(high - low + 1);
    putchar('[');
    for (uint64_t i = 0; i < size; i++) {
        size_t j = i + below(count - i);
        struct span chosen = options[j];
        options[j] = options[i];
        printf("%s\"%.*s\"", i ? "," : "", (int)chosen.size, chosen.text);
    }
    putchar(']');
}

static void act(const char *line)
{
    static struct span options[MOST];
    const char *id = after(line, "\"id\":\""), *list = after(line, "\"options\":[");
    if (!id || !list) return;
    size_t count = read_options(list, options);
    state = number(line, "\"seed\":") ^ (number(line, "\"step\":") << 53);
    printf("{\"id\":\"%.16s\",\"move\":", id);
    if (strstr(line, "\"kind\":\"one\""))
        print_one(options, count);
    else
        print_some(options, count, number(line, "\"low\":"), number(line, "\"high\":"));
    puts("}");
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strncmp(line, "{\"type\":\"hello\"", 15) == 0)
            puts("{\"type\":\"ready\",\"protocol\":1,\"parallel\":32}");
        else if (strncmp(line, "{\"type\":\"act\"", 13) == 0)
            act(line);
        fflush(stdout);
    }
    free(line);
    return 0;
}
