# A bot that chooses at random, until you write something better into choose.
source ./referee.sh

# Puts the options to take into the array moves: from low to high of the array options, mostly one.
#
# The variable view is JSON, what your seat knows; events is JSON, what has happened since you were last asked.
# Ask jq for a part of it: hand=$(jq -r '.hand[0]' <<<"$view"). A call of jq takes some 30 ms.
# Draw random numbers from RANDOM, and the bot plays a match again as it did before.
choose() {
    local size=$((low + RANDOM % (high - low + 1))) left=("${options[@]}") at
    while ((${#moves[@]} < size)); do
        at=$((RANDOM % ${#left[@]}))
        moves+=("${left[at]}")
        left=("${left[@]:0:at}" "${left[@]:at+1}")
    done
}

serve
