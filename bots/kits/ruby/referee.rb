# Talks to the referee: reads its lines, asks the block for a move, writes the answers.
require "json"

# What may be answered: low to high of the options.
Choice = Struct.new(:kind, :options, :low, :high)

# A decision. The start is the message that began its match; random follows from seed and step.
#
# Set note to store a text with the move, which replays show, and usage to say what it cost:
# act.usage = { input_tokens: 412, output_tokens: 37, cost_usd: 0.0002 }
Act = Struct.new(:id, :match, :step, :seed, :choice, :clock, :events, :view, :start, :random, :note, :usage)

# Answers the referee until it closes stdin. The block gets an Act and returns a list of options.
def serve
  $stdin.set_encoding(Encoding::UTF_8)
  $stdout.sync = true
  start = nil
  $stdin.each_line do |line|
    message = JSON.parse(line)
    case message["type"]
    when "hello" then puts '{"type":"ready","protocol":1}'
    when "start" then start = message
    when "bye" then break
    when "act"
      act = read_act(message, start)
      moves = yield act
      answer = { id: act.id, move: act.choice.kind == "one" ? moves.first : moves }
      puts JSON.generate({ **answer, note: act.note, usage: act.usage }.compact)
    end
  end
end

def read_act(message, start)
  choice = message["choice"]
  Act.new(
    *message.values_at("id", "match", "step", "seed"),
    Choice.new(choice["kind"], choice["options"], choice.fetch("low", 1), choice.fetch("high", 1)),
    *message.values_at("clock", "events", "view"),
    start,
    Random.new(message["seed"] * 1_000_003 + message["step"])
  )
end
