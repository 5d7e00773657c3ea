// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import tools.jackson.databind.JsonNode;

/** People who talk and read at random, and what that amounts to when it is counted again, event by event (contract.md 11.4). */
final class PushWorld {
    private static final String MAIN = "main";
    private static final String EVERYWHERE = "";
    private static final int PAGE = 100;

    final List<String> rooms;
    private final List<Session> people;
    private final ConcurrentLinkedQueue<SentMessage> said = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    private final Map<String, Set<String>> ignored = new ConcurrentHashMap<>();

    PushWorld(List<String> rooms, List<Session> people) {
        this.rooms = rooms;
        this.people = people;
    }

    /** @param thread null for none */
    private record SentMessage(
            String room,
            String event,
            Session sender,
            @Nullable String thread) {}

    private record Receipt(
            String room,
            String event,
            String user,
            @Nullable String thread) {}

    /** What a user has not read in a room. */
    record Counts(int unread, int highlights) {
        static final Counts NONE = new Counts(0, 0);

        static Counts of(JsonNode room) {
            var counts = room.path("unread_notifications");
            return new Counts(
                    counts.path("notification_count").asInt(-1),
                    counts.path("highlight_count").asInt(-1));
        }
    }

    /** @param read whether the user has read or answered it since */
    record ExpectedNotification(String event, boolean read, boolean redacted, boolean highlight) {}

    void ignores(Session who, Session whom) throws IOException {
        who.put(
                "/v3/user/" + Paths.encoded(who.userId()) + "/account_data/m.ignored_user_list",
                Map.of("ignored_users", Map.of(whom.userId(), Map.of())));
        ignored.put(who.userId(), Set.of(whom.userId()));
    }

    /** Somebody does something. */
    void happens(Session who, RandomGenerator random, int number) throws IOException {
        var room = rooms.get(random.nextInt(rooms.size()));
        var earlier = said.stream().filter(one -> one.room.equals(room)).toList();
        int dice = random.nextInt(10);
        if (earlier.isEmpty() || dice < 7) {
            say(who, room, earlier, random, "t" + number);
        } else if (dice < 9) {
            read(who, earlier.get(random.nextInt(earlier.size())), random.nextInt(3));
        } else {
            var mine = earlier.stream().filter(one -> one.sender == who).toList();
            if (!mine.isEmpty()) {
                var target = mine.get(random.nextInt(mine.size())).event;
                who.put(Paths.room(room, "/redact/" + Paths.encoded(target) + "/r" + number), Map.of());
            }
        }
    }

    private void say(Session who, String room, List<SentMessage> earlier, RandomGenerator random, String txnId)
            throws IOException {
        var content = new HashMap<String, Object>();
        content.put("msgtype", random.nextInt(8) == 0 ? "m.notice" : "m.text");
        content.put("body", "words " + txnId);
        if (random.nextInt(3) == 0) {
            var named = people.get(random.nextInt(people.size()));
            content.put("m.mentions", Map.of("user_ids", List.of(named.userId())));
        }
        var root = earlier.isEmpty() || random.nextInt(4) > 0 ? null : earlier.getFirst();
        var thread = root == null || root.thread != null ? null : root.event;
        if (thread != null) {
            content.put("m.relates_to", Map.of("rel_type", "m.thread", "event_id", thread));
        }
        var event = who.send(room, txnId, content).ok().path("event_id").asString();
        said.add(new SentMessage(room, event, who, thread));
    }

    private void read(Session who, SentMessage target, int way) throws IOException {
        var thread = target.thread == null ? MAIN : target.thread;
        var type = way == 0 ? "m.read" : "m.read.private";
        var path = Paths.room(target.room, "/receipt/%s/%s".formatted(type, Paths.encoded(target.event)));
        who.post(path, way == 2 ? Map.of("thread_id", thread) : Map.of());
        receipts.add(new Receipt(target.room, target.event, who.userId(), way == 2 ? thread : null));
    }

    /** The history of a room, as its owner reads it. */
    static List<JsonNode> history(Session reader, String room) throws IOException {
        var events = new ArrayList<JsonNode>();
        String from = null;
        do {
            var page = reader.messages(room, "f", from, null, PAGE);
            page.path("chunk").valueStream().forEach(events::add);
            from = page.path("end").asString(null);
        } while (from != null);
        return events;
    }

    /** Every message that was anything to the user. */
    List<ExpectedNotification> expected(Session user, String room, List<JsonNode> history) {
        var threads = new HashMap<String, String>();
        said.forEach(one -> threads.put(one.event, one.thread == null ? MAIN : one.thread));
        var redacted = new HashSet<String>();
        history.forEach(
                event -> redacted.add(event.path("content").path("redacts").asString("")));
        var read = read(user, room, history, threads);
        var notifications = new ArrayList<ExpectedNotification>();
        for (int pos = 0; pos < history.size(); pos++) {
            var event = history.get(pos);
            if (tells(event, user)) {
                var id = event.path("event_id").asString();
                int upto = Math.max(
                        read.getOrDefault(EVERYWHERE, -1), read.getOrDefault(threads.getOrDefault(id, MAIN), -1));
                notifications.add(new ExpectedNotification(id, pos <= upto, redacted.contains(id), names(event, user)));
            }
        }
        return notifications;
    }

    private Map<String, Integer> read(Session user, String room, List<JsonNode> history, Map<String, String> threads) {
        var places = new HashMap<String, Integer>();
        var read = new HashMap<String, Integer>();
        for (int pos = 0; pos < history.size(); pos++) {
            var event = history.get(pos);
            var id = event.path("event_id").asString();
            places.put(id, pos);
            if (event.path("sender").asString().equals(user.userId())) {
                read.merge(threads.getOrDefault(id, MAIN), pos, Math::max);
            }
        }
        for (var receipt : receipts) {
            if (receipt.room.equals(room) && receipt.user.equals(user.userId())) {
                var thread = receipt.thread == null ? EVERYWHERE : receipt.thread;
                read.merge(thread, places.getOrDefault(receipt.event, -1), Math::max);
            }
        }
        return read;
    }

    /** By the default rules, in a room of more than two; what was redacted has no content to judge by, and does not count. */
    private boolean tells(JsonNode event, Session user) {
        var sender = event.path("sender").asString();
        return event.path("type").asString().equals("m.room.message")
                && !sender.equals(user.userId())
                && !ignored.getOrDefault(user.userId(), Set.of()).contains(sender)
                && !event.path("content").path("msgtype").asString("").equals("m.notice");
    }

    private static boolean names(JsonNode event, Session user) {
        return event.path("content")
                .path("m.mentions")
                .path("user_ids")
                .valueStream()
                .anyMatch(named -> named.asString("").equals(user.userId()));
    }

    static Counts counts(List<ExpectedNotification> notifications) {
        var unread =
                notifications.stream().filter(one -> !one.read && !one.redacted).toList();
        return new Counts(unread.size(), (int)
                unread.stream().filter(ExpectedNotification::highlight).count());
    }
}
