import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads a view and prints some of its parts. */
class Program {
    public static void main(String[] arguments) throws Exception {
        View view = View.read(Json.read(new String(System.in.readAllBytes(), StandardCharsets.UTF_8)));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.printf("%d %.2f %b %s\n", view.for_(), view._2nd(), view.field(), view.aB());
        out.printf("%s %s\n", view.suits().get(0), view.suits().get(1) == null ? "none" : "some");
        out.printf("%d:", view.grid().size());
        for (List<Long> row : view.grid()) out.printf(" %d", row.size());
        out.printf("; grid[2][0] = %d\n", view.grid().get(2).get(0));
        out.printf("%b %b %b\n", view.flags().toArray());
        view.bag().forEach((key, items) -> out.printf("%s: %s %s\n", key, items.get(0), items.get(1)));
        out.printf("%d %s %s\n", view.who(), view.whom() == null ? "none" : "some", view.absent() == null ? "absent" : "there");
        View.Tree leaf = view.tree().left();
        out.printf("%s %s %s\n", view.tree().name(), leaf.name(), leaf.left() == null ? "none" : "some");
        out.printf("%s %s\n", view.trees().get(0).name(), view.trees().get(1).name());
        out.printf("%s %s %s\n", view.pair().get(0), view.pair().get(1), view.either());
    }
}
