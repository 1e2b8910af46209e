/* Talks to the referee: one JSON object a line, over stdin and stdout. stderr is your log. */
#define _POSIX_C_SOURCE 200809L
#include "referee.h"

typedef size_t chooser(Act *act, const char **chosen);

uint64_t below(Act *act, uint64_t bound)
{
    uint64_t z = (act->luck += 0x9e3779b97f4a7c15u); /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
}

static void write_text(const char *text)
{
    json_write_text(stdout, text, strlen(text));
}

static Act read_act(const struct json *message, const struct json *start, struct json_arena *arena)
{
    const struct json *choice = json_get(message, "choice"), *options = json_get(choice, "options");
    bool is_some = json_get(choice, "low");
    Act act = {
        .game = json_text(json_get(start, "game")),
        .seat = json_integer(json_get(start, "seat")),
        .seats = json_integer(json_get(start, "seats")),
        .rules = json_get(start, "options"),
        .step = json_integer(json_get(message, "step")),
        .options = json_room(arena, json_count(options) * sizeof *act.options),
        .low = is_some ? (size_t)json_integer(json_get(choice, "low")) : 1,
        .high = is_some ? (size_t)json_integer(json_get(choice, "high")) : 1,
        .view = read_View(json_get(message, "view"), arena),
        .events = json_get(message, "events"),
        .message = message,
        .arena = arena,
    };
    for (const struct json *option = json_first(options); option; option = option->next)
        act.options[act.count++] = json_text(option);
    act.luck = (uint64_t)json_integer(json_get(message, "seed")) ^ (uint64_t)act.step << 53;
    return act;
}

/* Write a part of the usage unless it is 0; return what stands before the next part. */
static const char *write_count(const char *before, const char *name, int64_t count)
{
    if (!count) return before;
    printf("%s\"%s\":%lld", before, name, (long long)count);
    return ",";
}

static void write_usage(const Usage *usage)
{
    const char *const first = ",\"usage\":{";
    const char *before = write_count(first, "input_tokens", usage->input_tokens);
    before = write_count(before, "output_tokens", usage->output_tokens);
    before = write_count(before, "requests", usage->requests);
    if (usage->cost_usd > 0) {
        printf("%s\"cost_usd\":%.9f", before, usage->cost_usd);
        before = ",";
    }
    if (before != first) putchar('}');
}

static void answer(Act *act, chooser *choose)
{
    bool is_some = json_get(json_get(act->message, "choice"), "low");
    const char **chosen = json_room(act->arena, act->count * sizeof *chosen);
    size_t size = choose(act, chosen);
    if (size < act->low || size > act->high) {
        fprintf(stderr, "choose returned %zu moves, expected %zu to %zu\n", size, act->low, act->high);
        exit(1);
    }
    printf("{\"id\":\"%s\",\"move\":%s", json_text(json_get(act->message, "id")), is_some ? "[" : "");
    for (size_t i = 0; i < size; i++) {
        if (i) putchar(',');
        write_text(chosen[i]);
    }
    if (is_some) putchar(']');
    if (act->note) {
        fputs(",\"note\":", stdout);
        write_text(act->note);
    }
    write_usage(&act->usage);
    puts("}");
}

/* Read a line, or end the program: after a line that it cannot read, a bot can only guess. */
static const struct json *read_line(const char *line, size_t size, struct json_arena *arena)
{
    const char *error = NULL;
    const struct json *message = json_read(arena, line, size, &error);
    if (message && json_text(json_get(message, "type"))) return message;
    fprintf(stderr, "cannot read a line: %s\n", error ? error : "it has no type");
    exit(1);
}

int serve(chooser *choose)
{
    struct json_arena of_match = {NULL};
    const struct json *start = NULL;
    char *line = NULL;
    size_t room = 0;
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0;) {
        struct json_arena of_line = {NULL};
        const struct json *message = read_line(line, (size_t)size, &of_line);
        const char *type = json_text(json_get(message, "type"));
        if (strcmp(type, "hello") == 0) {
            puts("{\"type\":\"ready\",\"protocol\":1}");
        } else if (strcmp(type, "start") == 0) {
            json_clear(&of_match);
            start = read_line(line, (size_t)size, &of_match);
        } else if (strcmp(type, "act") == 0) {
            Act act = read_act(message, start, &of_line);
            answer(&act, choose);
        }
        bool is_over = strcmp(type, "bye") == 0;
        json_clear(&of_line);
        if (fflush(stdout) != 0 || is_over) break;
    }
    json_clear(&of_match);
    free(line);
    return 0;
}
