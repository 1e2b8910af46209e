require "json"
$stdout.sync = true
while (line = $stdin.gets)
  m = JSON.parse(line)
  puts '{"type":"ready","protocol":1}' if m["type"] == "hello"
  next unless m["type"] == "act"
  c = m["choice"]
  puts JSON.generate({ id: m["id"], move: c["kind"] == "one" ? c["options"][0] : c["options"][0, c["low"]] })
end
