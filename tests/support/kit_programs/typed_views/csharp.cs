using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>Reads a view and prints some of its parts.</summary>
static class Program
{
    static void Main()
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        var utf8 = new UTF8Encoding(false);
        var view = View.Read(Json.Parse(new StreamReader(Console.OpenStandardInput(), utf8).ReadToEnd()));
        using (var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { NewLine = "\n" })
        {
            output.WriteLine("{0} {1:F2} {2} {3}", view.For, view._2nd, Shown(view.Field), view.AB);
            output.WriteLine("{0} {1}", view.Suits[0], view.Suits[1] == null ? "none" : "some");
            output.Write("{0}:", view.Grid.Count);
            foreach (var row in view.Grid) output.Write(" " + row.Count);
            output.WriteLine("; grid[2][0] = " + view.Grid[2][0]);
            output.WriteLine(string.Join(" ", view.Flags.Select(Shown)));
            foreach (var each in view.Bag) output.WriteLine("{0}: {1}", each.Key, string.Join(" ", each.Value));
            var whom = view.Whom.HasValue ? "some" : "none";
            output.WriteLine("{0} {1} {2}", view.Who, whom, view.Absent == null ? "absent" : "there");
            var leaf = view.Tree.Left;
            output.WriteLine("{0} {1} {2}", view.Tree.Name, leaf.Name, leaf.Left == null ? "none" : "some");
            output.WriteLine("{0} {1}", view.Trees[0].Name, view.Trees[1].Name);
            output.WriteLine("{0} {1} {2}", view.Pair[0], view.Pair[1], view.Either);
        }
    }

    static string Shown(bool flag)
    {
        return flag ? "true" : "false";
    }
}
