/* A bot that chooses at random, until you write something better into choose(). */
#include "referee.h"

/* Write the options to take to chosen, act->low to act->high of them (mostly one), and return their number.

   act->view holds what your seat knows, act->events what has happened since you were last asked.
   Draw random numbers with below(), and the bot plays a match again as it did before. */
static size_t choose(Act *act, const char **chosen)
{
    size_t size = act->low + below(act, act->high - act->low + 1);
    for (size_t i = 0; i < size; i++) {
        size_t other = i + below(act, act->count - i);
        chosen[i] = act->options[other];
        act->options[other] = act->options[i];
    }
    return size;
}

int main(void)
{
    return serve(choose);
}
