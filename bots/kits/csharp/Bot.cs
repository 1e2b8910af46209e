// A bot that chooses at random, until you write something better into Choose.
using System.Collections.Generic;

static class Bot
{
    /// <summary>
    /// Returns the options to take: a list of act.Choice.Low to act.Choice.High of them, mostly one.
    /// </summary>
    /// <remarks>
    /// The view holds what your seat knows, act.Events what has happened since you were last asked.
    /// Draw random numbers from act.Random, and the bot plays a match again as it did before.
    /// </remarks>
    static List<string> Choose(Act act, View view)
    {
        var left = new List<string>(act.Choice.Options);
        var moves = new List<string>();
        var size = act.Random.Next(act.Choice.Low, act.Choice.High + 1);
        while (moves.Count < size)
        {
            var at = act.Random.Next(left.Count);
            moves.Add(left[at]);
            left.RemoveAt(at);
        }
        return moves;
    }

    static void Main()
    {
        Referee.Serve(Choose);
    }
}
