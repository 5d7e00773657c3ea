import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JSON that a well-behaved server sends, and no more than that. */
final class Json {
    private final String text;
    private int at;

    Json(String text) {
        this.text = text;
    }

    Object read() {
        return switch (next()) {
            case '{' -> readObject();
            case '[' -> readArray();
            case '"' -> readString();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> readNumber();
        };
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private Map<String, Object> readObject() {
        var object = new LinkedHashMap<String, Object>();
        at++;
        while (next() != '}') {
            next();
            var key = readString();
            next();
            at++; // the colon
            object.put(key, read());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return object;
    }

    private List<Object> readArray() {
        var array = new ArrayList<>();
        at++;
        while (next() != ']') {
            array.add(read());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return array;
    }

    private String readString() {
        var string = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            string.append(text.charAt(at) == '\\' ? readEscape() : text.charAt(at));
        }
        at++;
        return string.toString();
    }

    private char readEscape() {
        char escape = text.charAt(++at);
        return switch (escape) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text, at - 3, at + 1, 16);
            }
            default -> escape;
        };
    }

    private Number readNumber() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        var number = text.substring(begin, at);
        return number.matches("-?\\d+") ? (Number) Long.valueOf(number) : Double.valueOf(number);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("not JSON");
        }
        at += word.length();
        return value;
    }

    static String write(Object value) {
        return switch (value) {
            case null -> "null";
            case Map<?, ?> map -> map.entrySet().stream()
                    .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
            case List<?> list -> list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
            case String string -> "\"" + string.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            default -> value.toString();
        };
    }
}
