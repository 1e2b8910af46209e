// Talks to the referee: one JSON object a line, over stdin and stdout. stderr is your log.
#pragma once

#include "reading.hpp"
#include "view.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <utility>

// What a decision cost; 0 is not said.
struct Usage {
    long long input_tokens{}, output_tokens{};
    double cost_usd{};
    long long requests{};
};

// What the referee asks.
struct Act {
    std::string game;                  // such as "stellar"
    std::int64_t seat{}, seats{};      // yours, counted from 0; the size of the table
    std::map<std::string, Raw> rules;  // the rule options of this match
    std::int64_t step{};               // of the match, from 0
    std::vector<std::string> options;  // the moves that are allowed now
    std::size_t low{}, high{};         // how many of them to choose; both are 1 if the answer is a single move
    View view{};                       // everything that your seat knows: see view.hpp
    std::vector<Raw> events;           // what has happened since you were last asked
    Raw message{};                     // the whole message
    std::string note;                  // set it to store a note with the move; replays show it
    Usage usage{};                     // set it to say what the decision cost
    std::uint64_t luck{};              // what below() goes on from

    // A random number from 0 to bound - 1. It follows from the seed of the match and the step.
    std::uint64_t below(std::uint64_t bound)
    {
        std::uint64_t z = (luck += 0x9e3779b97f4a7c15u);  // splitmix64
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return (z ^ (z >> 31)) % bound;
    }
};

using Chooser = std::function<std::vector<std::string>(Act &)>;

// A line of the referee, with the memory that its values lie in.
class Message {
public:
    explicit Message(const std::string &line)
    {
        const char *error = "it is no object";
        value = json_read(&arena, line.data(), line.size(), &error);
        if (value && value->kind == JSON_OBJECT) return;
        std::cerr << "cannot read a line: " << error << std::endl;
        std::exit(1);  // a bot could only guess
    }
    ~Message() { json_clear(&arena); }
    Message(const Message &) = delete;
    Message &operator=(const Message &) = delete;

    Raw get(const char *key) const { return json_get(value, key); }
    Raw value{};

private:
    json_arena arena{};
};

inline Act read_act(const Message &message, const Message &start)
{
    Act act;
    Raw choice = message.get("choice"), low = json_get(choice, "low");
    read_json(start.get("game"), act.game);
    read_json(start.get("seat"), act.seat);
    read_json(start.get("seats"), act.seats);
    read_json(start.get("options"), act.rules);
    read_json(message.get("step"), act.step);
    read_json(json_get(choice, "options"), act.options);
    act.low = low ? json_integer(low) : 1;
    act.high = low ? json_integer(json_get(choice, "high")) : 1;
    read_json(message.get("view"), act.view);
    read_json(message.get("events"), act.events);
    act.message = message.value;
    act.luck = std::uint64_t(json_integer(message.get("seed"))) ^ std::uint64_t(act.step) << 53;
    return act;
}

inline void write_usage(const Usage &usage)
{
    std::string parts;
    auto add = [&parts](const char *name, auto value) {
        if (value > 0) parts += (parts.empty() ? "\"" : ",\"") + std::string(name) + "\":" + std::to_string(value);
    };
    add("input_tokens", usage.input_tokens);
    add("output_tokens", usage.output_tokens);
    add("requests", usage.requests);
    if (usage.cost_usd > 0) {
        char cost[64];
        std::snprintf(cost, sizeof cost, "%s\"cost_usd\":%.9f", parts.empty() ? "" : ",", usage.cost_usd);
        parts += cost;
    }
    if (!parts.empty()) std::printf(",\"usage\":{%s}", parts.c_str());
}

inline void answer(Act &act, const Chooser &choose)
{
    bool is_some = json_get(json_get(act.message, "choice"), "low");
    std::vector<std::string> moves = choose(act);
    if (moves.size() < act.low || moves.size() > act.high) {
        std::cerr << "choose returned " << moves.size() << " moves, expected " << act.low << " to " << act.high << '\n';
        std::exit(1);
    }
    std::printf("{\"id\":\"%s\",\"move\":%s", json_text(json_get(act.message, "id")), is_some ? "[" : "");
    for (std::size_t i = 0; i < moves.size(); i++) {
        if (i) std::putchar(',');
        json_write_text(stdout, moves[i].data(), moves[i].size());
    }
    if (is_some) std::putchar(']');
    if (!act.note.empty()) {
        std::fputs(",\"note\":", stdout);
        json_write_text(stdout, act.note.data(), act.note.size());
    }
    write_usage(act.usage);
    std::puts("}");
}

// Answer until the referee says goodbye. choose() returns low to high of the options.
inline void serve(const Chooser &choose)
{
    std::optional<Message> start;
    for (std::string line; std::getline(std::cin, line);) {
        Message message(line);
        std::string type;
        read_json(message.get("type"), type);
        if (type == "hello") std::puts("{\"type\":\"ready\",\"protocol\":1}");
        if (type == "start") start.emplace(line);
        if (type == "act") {
            Act act = read_act(message, *start);
            answer(act, choose);
        }
        std::fflush(stdout);
        if (type == "bye") break;
    }
}
