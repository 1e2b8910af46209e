using System.Collections.Generic;

/// <summary>
/// What a bot sees: an object as the README.md of the game describes it.
/// `ladder new csharp NAME --game GAME` writes the types of one game here.
/// </summary>
public sealed class View
{
    /// <summary>The fields of the view; Json.cs says how JSON is kept.</summary>
    public Dictionary<string, object> Fields;

    public static View Read(object json)
    {
        return new View { Fields = Json.Fields(json) };
    }
}
