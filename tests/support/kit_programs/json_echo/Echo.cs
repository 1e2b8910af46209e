using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>Reads lines; writes each as JSON again, or what is wrong with it.</summary>
static class Echo
{
    static void Main()
    {
        var utf8 = new UTF8Encoding(false);
        var input = new StreamReader(Console.OpenStandardInput(), utf8, false);
        using (var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { NewLine = "\n" })
            foreach (var line in input.ReadToEnd().Split('\n').Reverse().Skip(1).Reverse())
                output.WriteLine(Again(line));
    }

    static string Again(string line)
    {
        try { return Write(Json.Parse(line)); }
        catch (FormatException error) { return "error: " + error.Message; }
    }

    static string Write(object value)
    {
        if (value == null) return "null";
        if (value is bool) return (bool)value ? "true" : "false";
        if (value is string) return Json.Quote((string)value);
        if (value is double) return ((double)value).ToString("R", CultureInfo.InvariantCulture);
        if (value is List<object>) return "[" + string.Join(",", ((List<object>)value).Select(Write)) + "]";
        var fields = value as Dictionary<string, object>;
        if (fields == null) return value.ToString();
        return "{" + string.Join(",", fields.Select(each => Json.Quote(each.Key) + ":" + Write(each.Value))) + "}";
    }
}
