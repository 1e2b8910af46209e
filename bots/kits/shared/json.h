/* A small, strict JSON reader in plain C (C99); C++ compiles it, too.

   json_read() reads one document into an arena, and json_clear() frees the arena with all that was read.
   Every function takes NULL for a value that is not there, so json_get(json_get(line, "choice"), "low") is safe. */
#ifndef JSON_H
#define JSON_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_MOST_LEVELS = 64 };

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    bool truth;               /* of a bool */
    bool is_integer;          /* a number without fraction and exponent that fits into 64 bits */
    int64_t integer;          /* such a number */
    double number;            /* any number */
    const char *text;         /* a string in UTF-8, with a NUL behind it */
    size_t size;              /* bytes of a string, values in an array, members of an object */
    const struct json *first; /* of an array or an object */
    const struct json *next;  /* the next one of the same array or object */
    const char *key;          /* of a member of an object */
    size_t key_size;
};

/* Memory that is freed together. Begin with {NULL}. */
struct json_block {
    struct json_block *next;
    size_t used, room;
};
struct json_arena {
    struct json_block *blocks;
};

static inline void *json_room(struct json_arena *arena, size_t size)
{
    size_t head = (sizeof(struct json_block) + 15) / 16 * 16;
    struct json_block *block = arena->blocks;
    size = (size + 15) / 16 * 16;
    if (!block || block->room - block->used < size) {
        size_t room = head + (size > 65536 ? size : 65536);
        block = (struct json_block *)malloc(room);
        if (!block) {
            fputs("out of memory\n", stderr);
            exit(1);
        }
        block->next = arena->blocks;
        block->used = head;
        block->room = room;
        arena->blocks = block;
    }
    block->used += size;
    return memset((char *)block + block->used - size, 0, size);
}

static inline void json_clear(struct json_arena *arena)
{
    while (arena->blocks) {
        struct json_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

/* What the functions below share: the text that is left, and what was wrong with it. */
struct json_reader {
    struct json_arena *arena;
    const char *at, *end;
    const char *error;
};

static inline bool json_fail(struct json_reader *reader, const char *error)
{
    if (!reader->error) reader->error = error;
    return false;
}

static inline void json_skip_spaces(struct json_reader *reader)
{
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4)) reader->at++;
}

static inline bool json_take(struct json_reader *reader, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0) return false;
    reader->at += size;
    return true;
}

/* Read the four hexadecimal digits of \u; -1 if there are others. */
static inline int json_read_hex(struct json_reader *reader)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    int code = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = reader->at < reader->end ? (const char *)memchr(digits, *reader->at, 32) : NULL;
        if (!digit) return -1;
        code = code * 16 + (int)(digit - digits) % 16;
        reader->at++;
    }
    return code;
}

static inline char *json_put_code(char *to, int code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)((0xff00 >> (tail + 1)) | (code >> (6 * tail))); /* as many ones as bytes */
    while (tail--) *to++ = (char)(0x80 | (code >> (6 * tail) & 0x3f));
    return to;
}

/* Read what follows a backslash; return the end of the text, or NULL. */
static inline char *json_read_escape(struct json_reader *reader, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end) return NULL;
    char letter = *reader->at++;
    if (letter != 'u') {
        const char *found = (const char *)memchr(letters, letter, 8);
        if (!found) return NULL;
        *to++ = meanings[found - letters];
        return to;
    }
    int code = json_read_hex(reader);
    if (code >= 0xd800 && code < 0xdc00) { /* the first half of a pair of surrogates */
        int second = json_take(reader, "\\u") ? json_read_hex(reader) : -1;
        if (second < 0xdc00 || second > 0xdfff) return NULL;
        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    } else if (code < 0 || (code >= 0xdc00 && code < 0xe000)) {
        return NULL;
    }
    return json_put_code(to, code);
}

static inline bool json_read_string(struct json_reader *reader, const char **text, size_t *size)
{
    const char *quote = ++reader->at;
    while (quote < reader->end && *quote != '"') quote += *quote == '\\' ? 2 : 1;
    if (quote >= reader->end) return json_fail(reader, "a string without its end");
    char *start = (char *)json_room(reader->arena, (size_t)(quote - reader->at) + 1), *to = start;
    while (reader->at < quote) {
        if ((unsigned char)*reader->at < 0x20) return json_fail(reader, "a control character in a string");
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        reader->at++;
        to = json_read_escape(reader, to);
        if (!to) return json_fail(reader, "a wrong escape in a string");
    }
    reader->at = quote + 1;
    *text = start;
    *size = (size_t)(to - start);
    return true;
}

static inline size_t json_skip_digits(struct json_reader *reader)
{
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') reader->at++;
    return (size_t)(reader->at - start);
}

static inline bool json_read_number(struct json_reader *reader, struct json *value)
{
    const char *start = reader->at;
    json_take(reader, "-");
    size_t digits = 1;
    if (!json_take(reader, "0")) digits = json_skip_digits(reader);
    const char *whole = reader->at;
    if (digits && json_take(reader, ".")) digits = json_skip_digits(reader);
    if (digits && (json_take(reader, "e") || json_take(reader, "E"))) {
        if (!json_take(reader, "-")) json_take(reader, "+");
        digits = json_skip_digits(reader);
    }
    size_t size = (size_t)(reader->at - start);
    if (!digits) return json_fail(reader, "a wrong number");
    char *copy = (char *)json_room(reader->arena, size + 1);
    memcpy(copy, start, size);
    value->kind = JSON_NUMBER;
    value->number = strtod(copy, NULL);
    if (isinf(value->number)) return json_fail(reader, "a number that is too large");
    errno = 0;
    int64_t integer = strtoll(copy, NULL, 10);
    value->is_integer = whole == reader->at && errno == 0;
    if (value->is_integer) value->integer = integer;
    return true;
}

static inline struct json *json_read_value(struct json_reader *reader, int levels);

/* Read the values between the brackets of an array or an object, whose first one has been read. */
static inline bool json_read_items(struct json_reader *reader, struct json *value, const char *close, int levels)
{
    const struct json **last = &value->first;
    bool is_object = value->kind == JSON_OBJECT;
    if (levels == 0) return json_fail(reader, "too many levels");
    json_skip_spaces(reader);
    if (json_take(reader, close)) return true;
    do {
        const char *key = NULL;
        size_t key_size = 0;
        json_skip_spaces(reader);
        if (is_object) {
            if (reader->at == reader->end || *reader->at != '"') return json_fail(reader, "no key in an object");
            if (!json_read_string(reader, &key, &key_size)) return false;
            json_skip_spaces(reader);
            if (!json_take(reader, ":")) return json_fail(reader, "no colon after a key");
        }
        struct json *item = json_read_value(reader, levels - 1);
        if (!item) return false;
        item->key = key;
        item->key_size = key_size;
        *last = item;
        last = &item->next;
        value->size++;
        json_skip_spaces(reader);
    } while (json_take(reader, ","));
    return json_take(reader, close) || json_fail(reader, "neither a comma nor the end of an array or object");
}

static inline struct json *json_read_value(struct json_reader *reader, int levels)
{
    struct json *value = (struct json *)json_room(reader->arena, sizeof *value);
    json_skip_spaces(reader);
    char first = reader->at < reader->end ? *reader->at : 0;
    bool good;
    if (first == '"') {
        value->kind = JSON_STRING;
        good = json_read_string(reader, &value->text, &value->size);
    } else if (first == '[' || first == '{') {
        reader->at++;
        value->kind = first == '[' ? JSON_ARRAY : JSON_OBJECT;
        good = json_read_items(reader, value, first == '[' ? "]" : "}", levels);
    } else if (first == '-' || (first >= '0' && first <= '9')) {
        good = json_read_number(reader, value);
    } else if (json_take(reader, "true") || json_take(reader, "false")) {
        value->kind = JSON_BOOL;
        value->truth = first == 't';
        good = true;
    } else {
        good = json_take(reader, "null") || json_fail(reader, "no value");
    }
    return good ? value : NULL;
}

/* Read a document. If it is wrong, return NULL and set error to what was found and at which byte. */
static inline const struct json *json_read(struct json_arena *arena, const char *text, size_t size, const char **error)
{
    struct json_reader reader = {arena, text, text + size, NULL};
    const struct json *value = json_read_value(&reader, JSON_MOST_LEVELS);
    json_skip_spaces(&reader);
    if (value && reader.at < reader.end) json_fail(&reader, "something after the end");
    if (!reader.error) return value;
    char *message = (char *)json_room(arena, 128);
    snprintf(message, 128, "found %s at byte %ld", reader.error, (long)(reader.at - text));
    *error = message;
    return NULL;
}

/* The member of an object; NULL if it is not there. Of equal keys the first counts. */
static inline const struct json *json_get(const struct json *object, const char *key)
{
    size_t size = strlen(key);
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const struct json *member = object->first; member; member = member->next)
        if (member->key_size == size && memcmp(member->key, key, size) == 0) return member;
    return NULL;
}

/* How many values an array or an object has. */
static inline size_t json_count(const struct json *value)
{
    return value && (value->kind == JSON_ARRAY || value->kind == JSON_OBJECT) ? value->size : 0;
}

/* The first value of an array or an object, for loops that go on with ->next. */
static inline const struct json *json_first(const struct json *value)
{
    return value ? value->first : NULL;
}

static inline bool json_is_null(const struct json *value)
{
    return !value || value->kind == JSON_NULL;
}

/* A string; NULL if the value is none. */
static inline const char *json_text(const struct json *value)
{
    return value ? value->text : NULL;
}

/* An integer; 0 if the value is none. */
static inline int64_t json_integer(const struct json *value)
{
    return value ? value->integer : 0;
}

/* Any number; 0 if the value is none. */
static inline double json_number(const struct json *value)
{
    return value ? value->number : 0;
}

static inline bool json_truth(const struct json *value)
{
    return value && value->truth;
}

/* Write a string as JSON. */
static inline void json_write_text(FILE *file, const char *text, size_t size)
{
    putc('"', file);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\') putc('\\', file);
        if (byte < 0x20)
            fprintf(file, "\\u%04x", byte);
        else
            putc(byte, file);
    }
    putc('"', file);
}

#endif
