-- A bot that chooses at random, until you write something better into choose.
local referee = require("referee")

-- Return the options to take, a list of act.low to act.high of them (mostly one).
--
-- act.view holds what your seat knows, act.events what has happened since you were last asked. A null in them
-- is require("json").null, which is true in a condition, so compare with it. A key that is missing is nil.
-- Draw random numbers with math.random, and the bot plays a match again as it did before.
local function choose(act)
    local moves, options = {}, act.options
    for i = 1, math.random(act.low, act.high) do
        moves[i] = table.remove(options, math.random(#options))
    end
    return moves
end

referee.serve(choose)
