-- The keys of a message come in a fixed order, no option has an escaped character, and all choose one.
for line in io.lines() do
  if line:find('^{"type":"hello"') then
    io.write('{"type":"ready","protocol":1,"view":"none"}\n')
  elseif line:find('^{"type":"act"') then
    local move = line:match('"options":%["([^"]*)"')
    io.write('{"id":"' .. line:match('"id":"(%x+)"') .. '","move":"' .. move .. '"}\n')
  end
  io.flush()
end
