import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Talks to the referee: one JSON object a line, over stdin and stdout. System.err is your log. */
final class Referee {
    private Referee() {}

    /** Answer until the referee says goodbye. System.out is free for your own output: it goes to the log, too. */
    static void serve(Function<Act, List<String>> choose) throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<String, Object> start = Map.of();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> message = Json.object(Json.read(line));
            String type = Json.text(message.get("type"));
            switch (type) {
                case "hello" -> out.print("{\"type\":\"ready\",\"protocol\":1}\n");
                case "start" -> start = message;
                case "act" -> {
                    Act act = new Act(message, start);
                    out.print(answer(act, choose.apply(act)) + "\n");
                }
                default -> {}
            }
            out.flush();
            if (type.equals("bye")) return;
        }
    }

    private static String answer(Act act, List<String> moves) {
        if (moves.size() < act.low || moves.size() > act.high) {
            throw new IllegalStateException(
                    "choose returned %d moves, expected %d to %d".formatted(moves.size(), act.low, act.high));
        }
        boolean isOne = Json.object(act.message.get("choice")).get("kind").equals("one");
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", act.message.get("id"));
        answer.put("move", isOne ? moves.get(0) : moves);
        if (!act.note.isEmpty()) answer.put("note", act.note);
        if (!act.usage.isEmpty()) answer.put("usage", act.usage);
        return Json.write(answer);
    }
}
