# A bot that chooses at random, until you write something better into choose.
require_relative "referee"

# Returns the options to take: a list of act.choice.low to act.choice.high of them, mostly one.
#
# The view, a Hash, holds what your seat knows, act.events what has happened since you were last asked.
# Draw random numbers from act.random, and the bot plays a match again as it did before.
def choose(act, view)
  size = act.random.rand(act.choice.low..act.choice.high)
  act.choice.options.sample(size, random: act.random)
end

serve { |act| choose(act, act.view) }
