/* Plays any game at random, in as little time as it can: what is left is the referee's.

   It looks for the fields that it needs and checks nothing. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_OPTIONS 4096

static const char READY[] = "{\"type\":\"ready\",\"protocol\":1,\"parallel\":32}\n";
static char input[1 << 20], output[1 << 16];
static size_t held, written;
static uint64_t dice = 88172645463325252ull;

/* Return a random number below bound: xorshift64 (Marsaglia, 2003). */
static unsigned below(unsigned bound)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)(dice % bound);
}

static void put(const char *text, size_t size)
{
    if (written + size <= sizeof output) {
        memcpy(output + written, text, size);
        written += size;
    }
}

static void flush(void)
{
    for (size_t sent = 0; sent < written;) {
        ssize_t size = write(1, output + sent, written - sent);
        if (size <= 0)
            exit(0);
        sent += (size_t)size;
    }
    written = 0;
}

static void answer(const char *line)
{
    const char *starts[MOST_OPTIONS], *ends[MOST_OPTIONS];
    const char *id = strstr(line, "\"id\":\"") + 6;
    const char *at = strstr(line, "\"options\":[") + 11;
    const char *low = strstr(line, "\"low\":");
    unsigned count = 0;
    while (*at == '"' && count < MOST_OPTIONS) {
        starts[count] = at;
        at = strchr(at + 1, '"') + 1;
        ends[count++] = at;
        if (*at == ',')
            at++;
    }
    put("{\"id\":\"", 7);
    put(id, 16);
    put("\",\"move\":", 9);
    if (strstr(line, "\"choice\":{\"kind\":\"one\"") != NULL) {
        unsigned one = below(count);
        put(starts[one], (size_t)(ends[one] - starts[one]));
    } else {
        unsigned some = low == NULL ? 1 : (unsigned)atoi(low + 6);
        put("[", 1);
        for (unsigned i = 0; i < some; i++) {
            put(",", i > 0);
            put(starts[i], (size_t)(ends[i] - starts[i]));
        }
        put("]", 1);
    }
    put("}\n", 2);
}

int main(void)
{
    for (;;) {
        ssize_t size = read(0, input + held, sizeof input - 1 - held);
        if (size <= 0)
            return 0;
        held += (size_t)size;
        char *line = input, *end;
        while ((end = memchr(line, '\n', held - (size_t)(line - input))) != NULL) {
            *end = '\0';
            if (strncmp(line, "{\"type\":\"act\"", 13) == 0)
                answer(line);
            else if (strncmp(line, "{\"type\":\"hello\"", 15) == 0)
                put(READY, sizeof READY - 1);
            else if (strncmp(line, "{\"type\":\"bye\"", 13) == 0)
                return 0;
            line = end + 1;
        }
        held -= (size_t)(line - input);
        memmove(input, line, held);
        flush();
    }
}
