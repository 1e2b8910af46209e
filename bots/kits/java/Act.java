import java.util.List;
import java.util.Map;
import java.util.Random;

/** What the referee asks. */
final class Act {
    /** Such as "stellar". */
    final String game;
    /** Yours, counted from 0. */
    final int seat;
    /** The size of the table. */
    final int seats;
    /** The rule options of this match. */
    final Map<String, Object> rules;
    /** Of the match, from 0. */
    final int step;
    /** The moves that are allowed now. */
    final List<String> options;
    /** How many of them to choose, at least and at most; both are 1 if the answer is a single move. */
    final int low, high;
    /** Everything that your seat knows. */
    final View view;
    /** What has happened since you were last asked. */
    final List<Object> events;
    /** Follows from the seed of the match and the step. */
    final Random random;
    /** The whole message. */
    final Map<String, Object> message;
    /** Set it to store a note with the move; replays show it. */
    String note = "";
    /** Set it to say what the decision cost: Map.of("input_tokens", 412, "output_tokens", 37, "cost_usd", 0.0002). */
    Map<String, Number> usage = Map.of();

    Act(Map<String, Object> message, Map<String, Object> start) {
        Map<String, Object> choice = Json.object(message.get("choice"));
        game = Json.text(start.get("game"));
        seat = (int) Json.whole(start.get("seat"));
        seats = (int) Json.whole(start.get("seats"));
        rules = Json.object(start.get("options"));
        step = (int) Json.whole(message.get("step"));
        options = Json.list(choice.get("options"), Json::text);
        low = (int) Json.whole(choice.getOrDefault("low", 1L));
        high = (int) Json.whole(choice.getOrDefault("high", 1L));
        view = View.read(message.get("view"));
        events = Json.list(message.get("events"), Json::any);
        random = new Random(Json.whole(message.get("seed")) * 1_000_003 + step);
        this.message = message;
    }
}
