// A small JSON reader (RFC 8259), so that the bot needs no library.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

/// <summary>
/// JSON as objects: null, bool, long or double, string, List&lt;object&gt;, Dictionary&lt;string, object&gt;.
/// A whole number is a long if it fits.
/// </summary>
public static class Json
{
    const int Deepest = 64;

    /// <summary>Reads a text. Throws FormatException, which says where, if it is not JSON.</summary>
    public static object Parse(string text)
    {
        var at = 0;
        var value = Value(text, ref at, 0);
        Skip(text, ref at);
        if (at != text.Length) throw Error(text, at, "the end");
        return value;
    }

    /// <summary>Writes a string with its quotes.</summary>
    public static string Quote(string text)
    {
        var written = new StringBuilder("\"");
        foreach (var sign in text)
        {
            if (sign == '"' || sign == '\\') written.Append('\\').Append(sign);
            else if (sign < ' ' || char.IsSurrogate(sign)) written.AppendFormat("\\u{0:x4}", (int)sign);
            else written.Append(sign);
        }
        return written.Append('"').ToString();
    }

    // -- values as types; each throws FormatException for a value of another type

    public static string Text(object value) { return As<string>(value, "a string"); }
    public static long Whole(object value) { return As<long>(value, "a whole number"); }
    public static bool Flag(object value) { return As<bool>(value, "true or false"); }
    public static double Number(object value) { return value is long ? (long)value : As<double>(value, "a number"); }

    public static Dictionary<string, object> Fields(object value)
    {
        return As<Dictionary<string, object>>(value, "an object");
    }

    /// <summary>Returns the items of a list, each as read returns it.</summary>
    public static List<T> List<T>(object value, Func<object, T> read)
    {
        var items = new List<T>();
        foreach (var item in As<List<object>>(value, "a list")) items.Add(read(item));
        return items;
    }

    /// <summary>Returns the fields of an object, each as read returns it.</summary>
    public static Dictionary<string, T> Map<T>(object value, Func<object, T> read)
    {
        var fields = new Dictionary<string, T>();
        foreach (var field in Fields(value)) fields[field.Key] = read(field.Value);
        return fields;
    }

    /// <summary>Returns a field, null if it is missing.</summary>
    public static object Get(Dictionary<string, object> fields, string key)
    {
        object value;
        return fields.TryGetValue(key, out value) ? value : null;
    }

    static T As<T>(object value, string wanted)
    {
        if (value is T) return (T)value;
        throw new FormatException("expected " + wanted + ", got: " + (value ?? "null"));
    }

    // -- the reader: each method reads what begins at at, and leaves at behind it

    static object Value(string text, ref int at, int depth)
    {
        Skip(text, ref at);
        switch (Peek(text, at))
        {
            case '{':
            case '[':
                if (depth == Deepest) throw Error(text, at, "at most " + Deepest + " levels");
                return text[at] == '{' ? Object(text, ref at, depth) : Array(text, ref at, depth);
            case '"': return String(text, ref at);
            case 't': return Word(text, ref at, "true", true);
            case 'f': return Word(text, ref at, "false", false);
            case 'n': return Word(text, ref at, "null", null);
            default: return Digits(text, ref at);
        }
    }

    static object Object(string text, ref int at, int depth)
    {
        var fields = new Dictionary<string, object>();
        at++;
        if (Found(text, ref at, '}')) return fields;
        do
        {
            Skip(text, ref at);
            var key = String(text, ref at);
            Need(text, ref at, ':');
            fields[key] = Value(text, ref at, depth + 1);
        }
        while (Found(text, ref at, ','));
        Need(text, ref at, '}');
        return fields;
    }

    static object Array(string text, ref int at, int depth)
    {
        var items = new List<object>();
        at++;
        if (Found(text, ref at, ']')) return items;
        do items.Add(Value(text, ref at, depth + 1));
        while (Found(text, ref at, ','));
        Need(text, ref at, ']');
        return items;
    }

    static string String(string text, ref int at)
    {
        if (Peek(text, at) != '"') throw Error(text, at, "a string");
        var read = new StringBuilder();
        for (at++; Peek(text, at) != '"'; at++)
        {
            if (at >= text.Length || text[at] < ' ') throw Error(text, at, "the end of a string");
            read.Append(text[at] == '\\' ? Escaped(text, ref at) : text[at]);
        }
        for (var i = 0; i < read.Length; i++)
        {
            if (!char.IsSurrogate(read[i])) continue;
            var pair = i + 1 < read.Length && char.IsSurrogatePair(read[i], read[i + 1]);
            if (!pair) throw Error(text, at, "both halves of a surrogate pair before this");
            i++;
        }
        at++;
        return read.ToString();
    }

    static char Escaped(string text, ref int at)
    {
        const string Signs = "\"\\/bfnrt", Meanings = "\"\\/\b\f\n\r\t";
        var sign = Peek(text, ++at);
        if (sign == 'u')
        {
            int code;
            var fits = at + 4 < text.Length && int.TryParse(text.Substring(at + 1, 4),
                NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code);
            if (!fits) throw Error(text, at, "four hexadecimal digits");
            at += 4;
            return (char)Convert.ToInt32(text.Substring(at - 3, 4), 16);
        }
        var which = sign == '\0' ? -1 : Signs.IndexOf(sign);
        if (which < 0) throw Error(text, at, "an escape");
        return Meanings[which];
    }

    static object Word(string text, ref int at, string word, object value)
    {
        if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Error(text, at, "a value");
        at += word.Length;
        return value;
    }

    static object Digits(string text, ref int at)
    {
        var from = at;
        if (Peek(text, at) == '-') at++;
        if (Peek(text, at) == '0') at++;
        else Run(text, ref at);
        var whole = true;
        if (Peek(text, at) == '.')
        {
            whole = false;
            at++;
            Run(text, ref at);
        }
        if (Peek(text, at) == 'e' || Peek(text, at) == 'E')
        {
            whole = false;
            at++;
            if (Peek(text, at) == '+' || Peek(text, at) == '-') at++;
            Run(text, ref at);
        }
        var number = text.Substring(from, at - from);
        long exact;
        if (whole && long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out exact))
            return exact;
        double read;
        var finite = double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out read);
        if (!finite || double.IsInfinity(read)) throw Error(text, from, "a number that fits");
        return read;
    }

    static void Run(string text, ref int at)
    {
        var from = at;
        while (Peek(text, at) >= '0' && Peek(text, at) <= '9') at++;
        if (at == from) throw Error(text, at, "a value");
    }

    static void Skip(string text, ref int at)
    {
        while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
    }

    static bool Found(string text, ref int at, char sign)
    {
        Skip(text, ref at);
        if (Peek(text, at) != sign) return false;
        at++;
        return true;
    }

    static void Need(string text, ref int at, char sign)
    {
        if (!Found(text, ref at, sign)) throw Error(text, at, "'" + sign + "'");
    }

    static char Peek(string text, int at)
    {
        return at < text.Length ? text[at] : '\0';
    }

    static FormatException Error(string text, int at, string wanted)
    {
        var got = at < text.Length ? text.Substring(at, Math.Min(20, text.Length - at)) : "nothing";
        return new FormatException("expected " + wanted + ", found " + got + " at " + at);
    }
}
