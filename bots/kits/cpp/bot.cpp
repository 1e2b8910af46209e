// A bot that chooses at random, until you write something better into choose().
#include "referee.hpp"

// Return the options to take, act.low to act.high of them (mostly one).
//
// act.view holds what your seat knows, act.events what has happened since you were last asked.
// Draw random numbers with act.below(), and the bot plays a match again as it did before.
std::vector<std::string> choose(Act &act)
{
    std::vector<std::string> moves = act.options;
    std::size_t size = act.low + act.below(act.high - act.low + 1);
    for (std::size_t i = 0; i < size; i++) std::swap(moves[i], moves[i + act.below(moves.size() - i)]);
    moves.resize(size);
    return moves;
}

int main()
{
    serve(choose);
}
