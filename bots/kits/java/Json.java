import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A small, strict JSON reader. It makes maps, lists, strings, numbers (Long where it fits, else Double), booleans
 * and null.
 */
final class Json {
    private static final int MOST_LEVELS = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Read a document; throws IllegalArgumentException that says what is wrong, and where. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.readValue(MOST_LEVELS);
        reader.skipSpaces();
        if (reader.at < text.length()) throw reader.wrong("something after the end");
        return value;
    }

    static Map<String, Object> object(Object value) {
        return map(value, Json::any);
    }

    static <T> Map<String, T> map(Object value, Function<Object, T> read) {
        if (!(value instanceof Map<?, ?> map)) throw new IllegalArgumentException("expected an object, got: " + value);
        Map<String, T> result = new LinkedHashMap<>();
        map.forEach((key, item) -> result.put((String) key, read.apply(item)));
        return result;
    }

    static <T> List<T> list(Object value, Function<Object, T> read) {
        if (!(value instanceof List<?> list)) throw new IllegalArgumentException("expected a list, got: " + value);
        List<T> result = new ArrayList<>();
        list.forEach(item -> result.add(read.apply(item)));
        return result;
    }

    /** Return null for null or for a value that is missing. */
    static <T> T optional(Object value, Function<Object, T> read) {
        return value == null ? null : read.apply(value);
    }

    static String text(Object value) {
        if (value instanceof String string) return string;
        throw new IllegalArgumentException("expected a string, got: " + value);
    }

    static long whole(Object value) {
        if (value instanceof Long number) return number;
        throw new IllegalArgumentException("expected a whole number, got: " + value);
    }

    static double number(Object value) {
        if (value instanceof Number number) return number.doubleValue();
        throw new IllegalArgumentException("expected a number, got: " + value);
    }

    static boolean flag(Object value) {
        if (value instanceof Boolean flag) return flag;
        throw new IllegalArgumentException("expected true or false, got: " + value);
    }

    static Object any(Object value) {
        return value;
    }

    /** Write a value as JSON. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        String comma = "";
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(comma);
                write(entry.getKey(), out);
                out.append(':');
                write(entry.getValue(), out);
                comma = ",";
            }
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (Object item : list) {
                out.append(comma);
                write(item, out);
                comma = ",";
            }
            out.append(']');
        } else if (value instanceof String string) {
            writeText(string, out);
        } else {
            out.append(value);
        }
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') out.append('\\');
            if (letter < ' ') out.append(String.format("\\u%04x", (int) letter));
            else out.append(letter);
        }
        out.append('"');
    }

    private IllegalArgumentException wrong(String found) {
        return new IllegalArgumentException("found " + found + " at character " + at);
    }

    private void skipSpaces() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean take(String word) {
        if (!text.startsWith(word, at)) return false;
        at += word.length();
        return true;
    }

    private Object readValue(int levels) {
        skipSpaces();
        char first = at < text.length() ? text.charAt(at) : 0;
        if (first == '"') return readString();
        if (first == '-' || (first >= '0' && first <= '9')) return readNumber();
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("null")) return null;
        if (first != '[' && first != '{') throw wrong("no value");
        if (levels == 0) throw wrong("too many levels");
        at++;
        return first == '[' ? readList(levels - 1) : readObject(levels - 1);
    }

    private List<Object> readList(int levels) {
        List<Object> list = new ArrayList<>();
        skipSpaces();
        if (take("]")) return list;
        do {
            list.add(readValue(levels));
            skipSpaces();
        } while (take(","));
        if (!take("]")) throw wrong("neither a comma nor the end of a list");
        return list;
    }

    private Map<String, Object> readObject(int levels) {
        Map<String, Object> object = new LinkedHashMap<>();
        skipSpaces();
        if (take("}")) return object;
        do {
            skipSpaces();
            if (!text.startsWith("\"", at)) throw wrong("no key in an object");
            String key = readString();
            skipSpaces();
            if (!take(":")) throw wrong("no colon after a key");
            if (object.containsKey(key)) throw wrong("the key " + key + " a second time");
            object.put(key, readValue(levels));
            skipSpaces();
        } while (take(","));
        if (!take("}")) throw wrong("neither a comma nor the end of an object");
        return object;
    }

    private Object readNumber() {
        int start = at;
        take("-");
        if (!take("0")) skipDigits();
        boolean isWhole = true;
        if (take(".")) {
            isWhole = false;
            skipDigits();
        }
        if (take("e") || take("E")) {
            isWhole = false;
            if (!take("-")) take("+");
            skipDigits();
        }
        String digits = text.substring(start, at);
        if (isWhole) {
            try {
                return Long.valueOf(digits);
            } catch (NumberFormatException tooLong) {
                // it is a Double, then
            }
        }
        double number = Double.parseDouble(digits);
        if (Double.isInfinite(number)) throw wrong("a number that is too large");
        return number;
    }

    private void skipDigits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        if (at == start) throw wrong("a wrong number");
    }

    private String readString() {
        StringBuilder result = new StringBuilder();
        at++;
        while (true) {
            if (at >= text.length()) throw wrong("a string without its end");
            char letter = text.charAt(at++);
            if (letter == '"') return checkPairs(result.toString());
            if (letter < ' ') throw wrong("a control character in a string");
            result.append(letter == '\\' ? readEscape() : letter);
        }
    }

    private char readEscape() {
        char letter = at < text.length() ? text.charAt(at++) : 0;
        int place = "\"\\/bfnrt".indexOf(letter);
        if (place >= 0) return "\"\\/\b\f\n\r\t".charAt(place);
        if (letter != 'u' || at + 4 > text.length()) throw wrong("a wrong escape in a string");
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = "0123456789abcdef".indexOf(Character.toLowerCase(text.charAt(at++)));
            if (digit < 0) throw wrong("a wrong escape in a string");
            code = 16 * code + digit;
        }
        return (char) code;
    }

    /** Java's strings are UTF-16, so both halves of a pair are read one by one; half a pair is no text. */
    private String checkPairs(String string) {
        for (int i = 0; i < string.length(); i++) {
            boolean isPair = Character.isSurrogatePair(string.charAt(i), i + 1 < string.length() ? string.charAt(i + 1) : 0);
            if (isPair) i++;
            else if (Character.isSurrogate(string.charAt(i))) throw wrong("half a pair of surrogates in a string");
        }
        return string;
    }
}
