-- Talks to the referee: one JSON object a line, over stdin and stdout. io.stderr is your log.
local json = require("json")

local referee = {}

-- Make what choose gets: the message "act" with fields of the message "start" and of its choice.
local function read_act(message, start)
    local act = { message = message, game = start.game, seat = start.seat, seats = start.seats, rules = start.options }
    act.step, act.events, act.view = message.step, message.events, message.view
    act.options, act.low, act.high = message.choice.options, message.choice.low or 1, message.choice.high or 1
    math.randomseed(message.seed, message.step) -- the same match gives the same numbers again
    return act
end

-- Spell what a decision cost: act.usage = { input_tokens = 412, output_tokens = 37, cost_usd = 0.0002 }.
local function spell_usage(usage)
    local parts = {}
    for _, name in ipairs({ "input_tokens", "output_tokens", "requests", "cost_usd" }) do
        local spelled = name == "cost_usd" and '"%s":%.9f' or '"%s":%d'
        if usage[name] then parts[#parts + 1] = spelled:format(name, usage[name]) end
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

local function answer(act, moves)
    if #moves < act.low or #moves > act.high then
        error(("choose returned %d moves, expected %d to %d"):format(#moves, act.low, act.high), 0)
    end
    local quoted = {}
    for i, move in ipairs(moves) do
        quoted[i] = json.quote(move)
    end
    local line = '{"id":"%s","move":%s}'
    if act.message.choice.kind == "some" then
        line = '{"id":"%s","move":[%s]}'
    end
    line = line:format(act.message.id, table.concat(quoted, ","))
    if act.note then -- set it to store a note with the move; replays show it
        line = line:sub(1, -2) .. ',"note":' .. json.quote(act.note) .. "}"
    end
    if act.usage then -- set it to say what the decision cost
        line = line:sub(1, -2) .. ',"usage":' .. spell_usage(act.usage) .. "}"
    end
    return line
end

-- Answer until the referee says goodbye. print is free for your own output: it goes to the log.
function referee.serve(choose)
    local start
    print = function(...)
        local words = table.pack(...)
        for i = 1, words.n do
            words[i] = tostring(words[i])
        end
        io.stderr:write(table.concat(words, "\t"), "\n")
    end
    for line in io.stdin:lines() do
        local message = json.read(line)
        if message.type == "hello" then
            io.stdout:write('{"type":"ready","protocol":1}\n')
        elseif message.type == "start" then
            start = message
        elseif message.type == "act" then
            local act = read_act(message, start)
            io.stdout:write(answer(act, choose(act)), "\n")
        end
        io.stdout:flush()
        if message.type == "bye" then
            return
        end
    end
end

return referee
