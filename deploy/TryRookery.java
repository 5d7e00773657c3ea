import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * A conversation between two users over HTTP, told as it happens: deploy/try runs it. One file, no libraries, so that it needs
 * nothing built. Every message is sent while its reader waits in a long poll, and timed from before the sending.
 */
final class TryRookery {
    private static final String USAGE = """
            deploy/try [URL]    plays a short conversation between two new users of the server at URL,
                                http://localhost:8008 when none is given""";

    private static final List<String> LINES = List.of(
            "Hello! Can you hear me?",
            "Loud and clear.",
            "Is this thing fast?",
            "You tell me: look at the numbers.",
            "The first ones are the slowest, the server is still warming up.",
            "Then say something more.",
            "Something more.");

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final String url;

    private TryRookery(String url) {
        this.url = url;
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 1 || (arguments.length == 1 && !arguments[0].matches("(https?://)?[^-/].*"))) {
            boolean helps = arguments.length == 1 && arguments[0].matches("-h|--help");
            (helps ? System.out : System.err).println(USAGE);
            System.exit(helps ? 0 : 2);
        }
        var given = (arguments.length == 1 ? arguments[0] : "http://localhost:8008").replaceAll("/+$", "");
        var url = given.matches("https?://.+") ? given : "http://" + given;
        try {
            new TryRookery(url).play();
        } catch (ConnectException e) {
            fail("nothing listens at %s: start the server with deploy/run, then try again".formatted(url));
        } catch (IOException e) {
            fail("%s: %s".formatted(url, e.getMessage()));
        }
    }

    private static void fail(String why) {
        System.err.println("deploy/try: " + why);
        System.exit(1);
    }

    private void play() throws IOException, InterruptedException {
        say("Two new users at " + url);
        var ada = register("ada");
        say("  ada is      " + ada.user);
        var grace = register("grace");
        say("  grace is    " + grace.user);

        var room = text(call(ada, "POST", "/v3/createRoom", object("name", "Tea", "preset", "private_chat")), "room_id");
        say("  ada makes   " + room + ", \"Tea\", for invited people only");
        call(ada, "POST", roomPath(room) + "/invite", object("user_id", grace.user));
        say("  grace sees  " + invitation(grace, room));
        call(grace, "POST", "/v3/join/" + encoded(room), object());
        say("  grace joins; " + members(ada, room) + " are in the room, says the server");

        converse(ada, grace, room);
        pageBack(grace, room);
    }

    /** First the server says what it wants to know, which is nothing; then the account is made. */
    private Person register(String name) throws IOException, InterruptedException {
        var unique = name + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt(1 << 16)).substring(4);
        var wish = object("username", unique, "password", "correct horse " + new SecureRandom().nextLong());
        var answer = send(null, "POST", "/v3/register", wish);
        if (answer.status == 401) {
            wish.put("auth", object("type", "m.login.dummy", "session", text(answer.body, "session")));
            answer = send(null, "POST", "/v3/register", wish);
        }
        var session = answer.orFail();
        return new Person(name, text(session, "user_id"), text(session, "access_token"));
    }

    private String invitation(Person guest, String room) throws IOException, InterruptedException {
        var invites = map(map(call(guest, "GET", "/v3/sync", null), "rooms"), "invite");
        if (!invites.containsKey(room)) {
            throw new IOException("the invitation did not arrive");
        }
        for (var event : list(map(map(invites, room), "invite_state"), "events")) {
            if (text(event, "type").equals("m.room.name")) {
                return "an invitation to \"" + text(map(event, "content"), "name") + "\"";
            }
        }
        return "an invitation";
    }

    private String members(Person who, String room) throws IOException, InterruptedException {
        var joined = map(call(who, "GET", roomPath(room) + "/joined_members", null), "joined");
        return String.join(" and ", joined.keySet());
    }

    private void converse(Person ada, Person grace, String room) throws IOException, InterruptedException {
        say("");
        say("They talk, each waiting in a long poll while the other sends; milliseconds from before the sending:");
        say("  %-71s %11s %11s".formatted("", "answered", "read"));
        var since = new LinkedHashMap<Person, String>();
        for (var person : List.of(ada, grace)) {
            since.put(person, text(call(person, "GET", "/v3/sync", null), "next_batch"));
        }
        var times = new ArrayList<Double>();
        for (int i = 0; i < LINES.size(); i++) {
            var sender = i % 2 == 0 ? ada : grace;
            var reader = i % 2 == 0 ? grace : ada;
            times.add(exchange(sender, reader, room, LINES.get(i), since));
        }
        Collections.sort(times);
        say("  half of them arrived within %.1f ms, all within %.1f ms".formatted(times.get(times.size() / 2), times.getLast()));
    }

    /** Returns after how many milliseconds the waiting reader had the line. */
    private double exchange(Person sender, Person reader, String room, String line, Map<Person, String> since)
            throws IOException, InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Long> poll = () -> waitFor(reader, room, line, since);
            var arrival = threads.submit(poll);
            Thread.sleep(150); // the reader shall wait already
            long begun = System.nanoTime();
            call(sender, "PUT", roomPath(room) + "/send/m.room.message/" + begun, object("msgtype", "m.text", "body", line));
            double accepted = (System.nanoTime() - begun) / 1e6;
            double arrived = (arrival.get() - begun) / 1e6;
            say("  %-6s %-64s %8.1f ms %8.1f ms".formatted(sender.name, line, accepted, arrived));
            return arrived;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    private long waitFor(Person reader, String room, String line, Map<Person, String> since)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < deadline) {
            var path = "/v3/sync?timeout=10000&since=" + encoded(since.get(reader));
            var answer = call(reader, "GET", path, null);
            since.put(reader, text(answer, "next_batch"));
            var timeline = map(map(map(map(answer, "rooms"), "join"), room), "timeline");
            for (var event : list(timeline, "events")) {
                if (line.equals(map(event, "content").get("body"))) {
                    return System.nanoTime();
                }
            }
        }
        throw new IOException("\"" + line + "\" did not reach " + reader.name + " within 30 s");
    }

    private void pageBack(Person who, String room) throws IOException, InterruptedException {
        say("");
        say(who.name + " pages back, newest first, three at a time:");
        String from = "";
        for (int page = 1; page <= 3; page++) {
            var answer = call(who, "GET", roomPath(room) + "/messages?dir=b&limit=3" + from, null);
            for (var event : list(answer, "chunk")) {
                say("  page " + page + "  " + text(event, "sender") + "  " + summary(event));
            }
            if (!answer.containsKey("end")) {
                return;
            }
            from = "&from=" + encoded(text(answer, "end"));
        }
    }

    private static String summary(Map<String, Object> event) {
        var content = map(event, "content");
        return switch (text(event, "type")) {
            case "m.room.message" -> text(content, "body");
            case "m.room.member" -> "(" + text(content, "membership") + " of " + text(event, "state_key") + ")";
            default -> "(" + text(event, "type") + ")";
        };
    }

    // HTTP

    private record Person(String name, String user, String token) {}

    private record Answer(String request, int status, Map<String, Object> body) {
        Map<String, Object> orFail() throws IOException {
            if (status == 429) {
                throw new IOException("too many requests from here: wait %d s, or raise the limit with deploy/run --max-requests"
                        .formatted(((Number) body.getOrDefault("retry_after_ms", 60_000L)).longValue() / 1000 + 1));
            }
            if (status != 200) {
                throw new IOException("%s was answered with %d %s %s"
                        .formatted(request, status, body.getOrDefault("errcode", ""), body.getOrDefault("error", "")));
            }
            return body;
        }
    }

    private Map<String, Object> call(Person who, String method, String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        return send(who, method, path, body).orFail();
    }

    private Answer send(Person who, String method, String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + "/_api/client" + path))
                .timeout(Duration.ofSeconds(40))
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
        if (who != null) {
            request.header("Authorization", "Bearer " + who.token);
        }
        var response = http.send(request.build(), BodyHandlers.ofString());
        var name = method + " " + path.replaceAll("\\?.*", "");
        try {
            return new Answer(name, response.statusCode(), asMap(new Json(response.body()).read()));
        } catch (RuntimeException e) {
            throw new IOException("%s was answered with %d and no JSON: is a Rookery there?".formatted(name, response.statusCode()));
        }
    }

    private static String roomPath(String room) {
        return "/v3/rooms/" + encoded(room);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static void say(String line) {
        System.out.println(line);
    }

    // JSON: what is missing is empty

    private static Map<String, Object> object(Object... keysAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    private static Map<String, Object> map(Map<String, Object> object, String key) {
        return asMap(object.get(key));
    }

    private static List<Map<String, Object>> list(Map<String, Object> object, String key) {
        return object.get(key) instanceof List<?> list ? list.stream().map(TryRookery::asMap).toList() : List.of();
    }

    private static String text(Map<String, Object> object, String key) {
        return object.get(key) instanceof String text ? text : "";
    }

    /** The JSON that a well-behaved server sends, and no more than that. */
    private static final class Json {
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
                case Map<?, ?> map -> map.entrySet().stream()
                        .map(entry -> write(entry.getKey()) + ":" + write(entry.getValue()))
                        .collect(java.util.stream.Collectors.joining(",", "{", "}"));
                case String string -> "\"" + string.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
                default -> value.toString();
            };
        }
    }
}
