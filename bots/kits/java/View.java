import java.util.Map;

/**
 * What a bot sees: an object, as the README.md of the game describes it.
 * `ladder new java NAME --game GAME` writes the types of one game here.
 */
record View(Map<String, Object> fields) {
    static View read(Object value) {
        return new View(Json.object(value));
    }
}
