-- A small, strict JSON reader for Lua 5.3 and later.
--
-- Objects and lists become tables, lists from index 1; null becomes json.null, which is not nil, so that a list
-- keeps its length. Whole numbers become integers where they fit into 64 bits, else floats.
local json = { null = setmetatable({}, { __tostring = function() return "null" end }) }

local MOST_LEVELS = 64
local ESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { { "true", true }, { "false", false }, { "null", json.null } }

local function fail(found, at)
    error(("found %s at byte %d"):format(found, at - 1), 0)
end

-- The functions below take the text and a place in it, and return a value and the place behind it.

-- Skip spaces; return the place behind them and the letter there, "" at the end.
local function look(text, at)
    return text:match("^[ \t\r\n]*()(.?)", at)
end

local function read_unicode(text, at)
    local code = tonumber(text:match("^%x%x%x%x", at) or fail("a wrong escape in a string", at), 16)
    local second = text:match("^\\u(%x%x%x%x)", at + 4)
    if code >= 0xd800 and code < 0xdc00 and second then
        local low = tonumber(second, 16)
        if low >= 0xdc00 and low < 0xe000 then
            return utf8.char(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)), at + 10
        end
    end
    if code >= 0xd800 and code < 0xe000 then
        fail("half a pair of surrogates in a string", at)
    end
    return utf8.char(code), at + 4
end

local function read_string(text, at)
    local whole, behind = text:match('^"([^"\\%c]*)"()', at)
    if whole then
        return whole, behind
    end
    local parts = {}
    at = at + 1
    while true do
        local plain = text:match('^[^"\\%c]*', at)
        parts[#parts + 1] = plain
        at = at + #plain
        local letter = text:sub(at, at)
        if letter == '"' then
            return table.concat(parts), at + 1
        elseif letter == "\127" then -- %c is more than what JSON forbids
            parts[#parts + 1], at = letter, at + 1
        elseif letter == "" then
            fail("a string without its end", at)
        elseif letter ~= "\\" then
            fail("a control character in a string", at)
        elseif text:sub(at + 1, at + 1) == "u" then
            parts[#parts + 1], at = read_unicode(text, at + 2)
        else
            parts[#parts + 1] = ESCAPES[text:sub(at + 1, at + 1)] or fail("a wrong escape in a string", at)
            at = at + 2
        end
    end
end

local function read_number(text, at)
    local whole = text:match("^%-?0", at) or text:match("^%-?[1-9]%d*", at) or fail("a wrong number", at)
    local after = at + #whole
    local digits = whole .. (text:match("^%.%d+", after) or "")
    digits = digits .. (text:match("^[eE][+-]?%d+", at + #digits) or "")
    after = at + #digits
    if text:find("^[.eE]", after) then
        fail("a wrong number", after)
    end
    local number = tonumber(digits)
    if number - number ~= 0 then
        fail("a number that is too large", at)
    end
    return number, after
end

local read_value

local function read_list(text, at, levels)
    local list, mark = {}, nil
    at, mark = look(text, at + 1)
    if mark == "]" then
        return list, at + 1
    end
    while true do
        list[#list + 1], at = read_value(text, at, levels)
        at, mark = look(text, at)
        if mark == "]" then
            return list, at + 1
        elseif mark ~= "," then
            fail("neither a comma nor the end of a list", at)
        end
        at = at + 1
    end
end

local function read_object(text, at, levels)
    local object, key, mark = {}, nil, nil
    at, mark = look(text, at + 1)
    if mark == "}" then
        return object, at + 1
    end
    while true do
        at, mark = look(text, at)
        if mark ~= '"' then
            fail("no key in an object", at)
        end
        key, at = read_string(text, at)
        at, mark = look(text, at)
        if mark ~= ":" then
            fail("no colon after a key", at)
        elseif object[key] ~= nil then
            fail("a key a second time", at)
        end
        object[key], at = read_value(text, at + 1, levels)
        at, mark = look(text, at)
        if mark == "}" then
            return object, at + 1
        elseif mark ~= "," then
            fail("neither a comma nor the end of an object", at)
        end
        at = at + 1
    end
end

function read_value(text, at, levels)
    local first
    at, first = look(text, at)
    if first == '"' then
        return read_string(text, at)
    elseif first == "[" or first == "{" then
        if levels == 0 then
            fail("too many levels", at)
        end
        local read = first == "[" and read_list or read_object
        return read(text, at, levels - 1)
    elseif first:find("[%d-]") then
        return read_number(text, at)
    end
    for _, word in ipairs(WORDS) do
        if text:sub(at, at + #word[1] - 1) == word[1] then
            return word[2], at + #word[1]
        end
    end
    fail("no value", at)
end

-- Read a document; raises an error that says what is wrong, and where.
function json.read(text)
    local value, at = read_value(text, 1, MOST_LEVELS)
    at = look(text, at)
    if at <= #text then
        fail("something after the end", at)
    end
    return value
end

-- Write a string as JSON.
function json.quote(text)
    local quoted = text:gsub('[%c"\\]', function(letter)
        local known = letter == '"' or letter == "\\"
        return known and "\\" .. letter or ("\\u%04x"):format(letter:byte())
    end)
    return '"' .. quoted .. '"'
end

return json
