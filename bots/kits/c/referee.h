/* What the referee asks, and how to answer. The protocol itself is in referee.c; you need not change either file. */
#ifndef REFEREE_H
#define REFEREE_H

#include "json.h"
#include "view.h"

/* What a decision cost; 0 is not said. */
typedef struct Usage {
    int64_t input_tokens, output_tokens;
    double cost_usd;
    int64_t requests;
} Usage;

typedef struct Act {
    const char *game;           /* such as "stellar" */
    int64_t seat, seats;        /* yours, counted from 0; the size of the table */
    const struct json *rules;   /* the rule options of this match */
    int64_t step;               /* of the match, from 0 */
    size_t count;               /* the number of options */
    const char **options;       /* the moves that are allowed now */
    size_t low, high;           /* how many of them to choose; both are 1 if the answer is a single move */
    const View *view;           /* everything that your seat knows: see view.h */
    const struct json *events;  /* what has happened since you were last asked */
    const struct json *message; /* the whole message */
    const char *note;           /* set it to store a note with the move; replays show it */
    Usage usage;                /* set it to say what the decision cost */
    struct json_arena *arena;   /* memory that is freed after your answer: json_room(act->arena, size) */
    uint64_t luck;              /* what below() goes on from */
} Act;

/* Answer until the referee says goodbye. choose() writes low to high of the options to chosen and returns their
   number. Returns the exit status of the program. */
int serve(size_t (*choose)(Act *act, const char **chosen));

/* A random number from 0 to bound - 1. It follows from the seed of the match and the step. */
uint64_t below(Act *act, uint64_t bound);

#endif
