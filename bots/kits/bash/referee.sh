# Talks to the referee: reads its lines, calls choose, writes the answers.

# One jq reads all lines. It writes what Bash can read: the type of a message, then its parts, a line each.
parts='
  .type,
  if .type == "start" then .game, .seat, .seats
  elif .type == "act" then
    .id, .step, .seed, .choice.kind, .choice.low // 1, .choice.high // 1,
    (.events | tojson), (.view | tojson),
    (.choice.options | length, (.[] | ., tojson))
  else empty end'

# Answers the referee until it closes stdin. For choose, game, seat and seats are those of the match.
serve() {
    jq --unbuffered -r "$parts" | while IFS= read -r type; do
        case $type in
            hello) echo '{"type":"ready","protocol":1}' ;;
            start) read -r game && read -r seat && read -r seats ;;
            act) answer ;;
            bye) break ;;
        esac
    done
}

answer() {
    local id step seed kind low high events view count option text i
    local options=() moves=() note= usage= # choose may set note, and usage, JSON that says what it cost
    local -A spelled=() # the JSON of each option
    for part in id step seed kind low high events view count; do
        IFS= read -r "$part"
    done
    for ((i = 0; i < count; i++)); do
        IFS= read -r option
        IFS= read -r text
        options+=("$option")
        spelled[$option]=$text
    done
    RANDOM=$(((seed + step * 7919) % 2147483647)) # the same numbers for a seed and a step
    choose
    local list=
    for option in "${moves[@]}"; do
        list+=${list:+,}${spelled[$option]-\"$option\"}
    done
    [[ $kind == one ]] || list="[$list]"
    [[ -z $note ]] || list+=",\"note\":$(printf %s "$note" | jq -Rs .)"
    [[ -z $usage ]] || list+=",\"usage\":$usage"
    echo "{\"id\":\"$id\",\"move\":$list}"
}
