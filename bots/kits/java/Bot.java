import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A bot that chooses at random, until you write something better into choose. */
class Bot {
    /**
     * Return the options to take, act.low to act.high of them (mostly one).
     *
     * act.view holds what your seat knows, act.events what has happened since you were last asked.
     * Draw random numbers from act.random, and the bot plays a match again as it did before.
     */
    static List<String> choose(Act act) {
        List<String> moves = new ArrayList<>(act.options);
        Collections.shuffle(moves, act.random);
        return moves.subList(0, act.low + act.random.nextInt(act.high - act.low + 1));
    }

    public static void main(String[] arguments) throws Exception {
        Referee.serve(Bot::choose);
    }
}
