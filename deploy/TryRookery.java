import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * A conversation between two users over HTTP, told as it happens: deploy/try runs it from its source, so that it
 * needs nothing built. Every message is sent while its reader waits in a long poll, and timed from before the sending.
 */
final class TryRookery extends RookeryClient {
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

    private TryRookery(String url) {
        super(url, false);
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 1 || (arguments.length == 1 && !arguments[0].matches("(https?://)?[^-/].*"))) {
            boolean helps = arguments.length == 1 && arguments[0].matches("-h|--help");
            (helps ? System.out : System.err).println(USAGE);
            System.exit(helps ? 0 : 2);
        }
        var url = address(arguments.length == 1 ? arguments[0] : "http://localhost:8008");
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
        say("  ada is      " + ada.user());
        var grace = register("grace");
        say("  grace is    " + grace.user());

        var room = text(call(ada, "POST", "/v3/createRoom", object("name", "Tea", "preset", "private_chat")), "room_id");
        say("  ada makes   " + room + ", \"Tea\", for invited people only");
        call(ada, "POST", roomPath(room) + "/invite", object("user_id", grace.user()));
        say("  grace sees  " + invitation(grace, room));
        call(grace, "POST", "/v3/join/" + encoded(room), object());
        say("  grace joins; " + members(ada, room) + " are in the room, says the server");

        converse(ada, grace, room);
        pageBack(grace, room);
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
            say("  %-6s %-64s %8.1f ms %8.1f ms".formatted(sender.name(), line, accepted, arrived));
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
        throw new IOException("\"" + line + "\" did not reach " + reader.name() + " within 30 s");
    }

    private void pageBack(Person who, String room) throws IOException, InterruptedException {
        say("");
        say(who.name() + " pages back, newest first, three at a time:");
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
}
