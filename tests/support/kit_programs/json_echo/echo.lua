-- Reads lines; writes each as JSON again, or what is wrong with it.  Empty tables count as lists.
local json = require("json")

local function write(value)
    if type(value) == "string" then
        return json.quote(value)
    elseif type(value) == "number" then
        return math.type(value) == "integer" and tostring(value) or ("%.17e"):format(value)
    elseif type(value) ~= "table" or value == json.null then
        return tostring(value)
    end
    local parts = {}
    if next(value) == nil or #value > 0 then
        for i, item in ipairs(value) do
            parts[i] = write(item)
        end
        return "[" .. table.concat(parts, ",") .. "]"
    end
    for key, item in pairs(value) do
        parts[#parts + 1] = json.quote(key) .. ":" .. write(item)
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

for line in io.stdin:lines() do
    local good, value = pcall(json.read, line)
    print(good and write(value) or "error: " .. value)
end
