// Talks to the referee: reads its lines, asks Choose, writes the answers.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

/// <summary>A match as it begins.</summary>
public sealed class Start
{
    public string Match;
    public string Game;
    public long Version;
    public int Seat;
    public int Seats;
    public Dictionary<string, object> Options;
}

/// <summary>What may be answered: Low to High of the options.</summary>
public sealed class Choice
{
    public string Kind;
    public List<string> Options;
    public int Low;
    public int High;
}

/// <summary>What a decision cost; what is null is not said.</summary>
public sealed class Usage
{
    public long? InputTokens, OutputTokens, Requests;
    public double? CostUsd;

    public override string ToString()
    {
        var parts = new List<string>();
        if (InputTokens != null) parts.Add("\"input_tokens\":" + InputTokens);
        if (OutputTokens != null) parts.Add("\"output_tokens\":" + OutputTokens);
        if (Requests != null) parts.Add("\"requests\":" + Requests);
        if (CostUsd != null)
            parts.Add("\"cost_usd\":" + CostUsd.Value.ToString("0.#########", CultureInfo.InvariantCulture));
        return "{" + string.Join(",", parts) + "}";
    }
}

/// <summary>A decision.</summary>
public sealed class Act
{
    public string Id;
    public string Match;
    public long Step;
    public long Seed;
    public Choice Choice;
    /// <summary>The time for this decision, and what is left of the match's bank.</summary>
    public long MoveMs, BankMs;
    /// <summary>What has happened: objects, as Json.cs keeps them.</summary>
    public List<object> Events;
    public View View;
    /// <summary>The match it belongs to.</summary>
    public Start Start;
    /// <summary>Follows from Seed and Step.</summary>
    public Random Random;
    /// <summary>Set it to store a note with the move; replays show it.</summary>
    public string Note;
    /// <summary>Set it to say what the decision cost.</summary>
    public Usage Usage;
}

public static class Referee
{
    /// <summary>Answers the referee until it closes stdin.</summary>
    public static void Serve(Func<Act, View, List<string>> choose)
    {
        var utf8 = new UTF8Encoding(false);
        var input = new StreamReader(Console.OpenStandardInput(), utf8);
        var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { AutoFlush = true, NewLine = "\n" };
        Start start = null;
        for (var line = input.ReadLine(); line != null; line = input.ReadLine())
        {
            var message = Json.Fields(Json.Parse(line));
            switch (Json.Text(message["type"]))
            {
                case "hello":
                    output.WriteLine("{\"type\":\"ready\",\"protocol\":1}");
                    break;
                case "start":
                    start = ReadStart(message);
                    break;
                case "act":
                    var act = ReadAct(message, start);
                    output.WriteLine(Answer(act, choose(act, act.View)));
                    break;
                case "bye":
                    return;
            }
        }
    }

    static Start ReadStart(Dictionary<string, object> message)
    {
        return new Start
        {
            Match = Json.Text(message["match"]),
            Game = Json.Text(message["game"]),
            Version = Json.Whole(message["version"]),
            Seat = (int)Json.Whole(message["seat"]),
            Seats = (int)Json.Whole(message["seats"]),
            Options = Json.Fields(message["options"]),
        };
    }

    static Act ReadAct(Dictionary<string, object> message, Start start)
    {
        var choice = Json.Fields(message["choice"]);
        var clock = Json.Fields(message["clock"]);
        long step = Json.Whole(message["step"]), seed = Json.Whole(message["seed"]);
        return new Act
        {
            Id = Json.Text(message["id"]),
            Match = Json.Text(message["match"]),
            Step = step,
            Seed = seed,
            Choice = new Choice
            {
                Kind = Json.Text(choice["kind"]),
                Options = Json.List(choice["options"], Json.Text),
                Low = (int)Json.Whole(Json.Get(choice, "low") ?? 1L),
                High = (int)Json.Whole(Json.Get(choice, "high") ?? 1L),
            },
            MoveMs = Json.Whole(clock["move_ms"]),
            BankMs = Json.Whole(clock["bank_ms"]),
            Events = Json.List(message["events"], item => item),
            View = View.Read(message["view"]),
            Start = start,
            Random = new Random(unchecked((int)(seed ^ (seed >> 32)) * 31 + (int)step)),
        };
    }

    static string Answer(Act act, List<string> moves)
    {
        var spelled = moves.ConvertAll(Json.Quote);
        var move = act.Choice.Kind == "one" ? spelled[0] : "[" + string.Join(",", spelled) + "]";
        var more = act.Note == null ? "" : ",\"note\":" + Json.Quote(act.Note);
        if (act.Usage != null) more += ",\"usage\":" + act.Usage;
        return "{\"id\":" + Json.Quote(act.Id) + ",\"move\":" + move + more + "}";
    }
}
