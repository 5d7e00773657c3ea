// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Paths;
import rookery.e2e.model.Action.Kind;

/** The actions of one user in a conversation, in the order that the seed determines. */
final class Actor implements Runnable {
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
    private static final int PAUSE_MILLIS_MAX = 15;
    /** Longer pauses with faults: kills last long, and the check of a room with thousands of events is slow. */
    private static final int PAUSE_MILLIS_MAX_WITH_FAULTS = 500;

    private static final int ROOMS_MAX = 4;

    private final Person me;
    private final List<Person> people;
    private final InstanceAccess access;
    private final KnownEvents knownEvents;
    private final History history;
    private final RandomGenerator random;
    private final String name;
    private final Stage stage;
    private int serial;

    /** @param name a unique part of all texts of this user */
    Actor(
            Person me,
            List<Person> people,
            Stage stage,
            KnownEvents knownEvents,
            History history,
            RandomGenerator random,
            String name) {
        this.me = me;
        this.people = people;
        this.stage = stage;
        this.access = stage.access();
        this.knownEvents = knownEvents;
        this.history = history;
        this.random = random;
        this.name = name;
    }

    @Override
    public void run() {
        int pauseMillisMax = stage.faults() ? PAUSE_MILLIS_MAX_WITH_FAULTS : PAUSE_MILLIS_MAX;
        for (int i = 0; i < stage.steps() || !stage.isQuiet(); i++) {
            step();
            LockSupport.parkNanos(random.nextInt(pauseMillisMax + 1) * 1_000_000L);
        }
        for (var room : knownEvents.rooms()) {
            typing(room, false);
        }
    }

    private void step() {
        var room = knownEvents.room(random);
        int dice = random.nextInt(100);
        if (room == null || (dice == 0 && knownEvents.rooms().size() < ROOMS_MAX)) {
            createRoom();
        } else if (dice < 40) {
            say(room);
        } else if (dice < 62) {
            changeMembership(room);
        } else if (dice < 74) {
            changeState(room);
        } else if (dice < 80) {
            redact(room);
        } else if (dice < 87) {
            read(room);
        } else if (dice < 91) {
            typing(room, random.nextBoolean());
        } else if (dice < 97) {
            keepData(random.nextBoolean() ? room : null);
        } else {
            ignore();
        }
    }

    void createRoom() {
        var levels = new HashMap<String, Integer>();
        for (int i = 0; i < people.size(); i++) {
            levels.put(people.get(i).id(), 80 - 20 * i);
        }
        levels.put(me.id(), 100);
        boolean isOpen = random.nextInt(3) > 0;
        var body = new HashMap<String, Object>(Map.of(
                "preset",
                isOpen ? "public_chat" : "private_chat",
                "power_level_content_override",
                Map.of("users", levels, "state_default", 0, "kick", 30, "ban", 30, "invite", 0, "redact", 30)));
        if (random.nextBoolean()) {
            body.put("name", "Room of " + name);
        }
        if (random.nextBoolean()) {
            body.put("invite", List.of(somebody().id()));
        }
        var reply = once("POST", InstanceAccess.ROOM, "/v3/createRoom", body);
        if (reply.isOk()) {
            var room = reply.json().path("room_id").asString();
            note(Kind.CREATION, room, null, "", "", reply);
            knownEvents.addRoom(room);
        }
    }

    void say(String room) {
        var word = word();
        var txnId = name + "-" + serial;
        var content = new HashMap<String, Object>(Map.of("msgtype", "m.text", "body", word));
        var root = random.nextInt(6) == 0 ? threadRoot(room) : "";
        if (!root.isEmpty()) {
            content.put("m.relates_to", Map.of("rel_type", "m.thread", "event_id", root));
        }
        var path = Paths.room(room, "/send/m.room.message/" + txnId);
        long start = System.nanoTime();
        var reply = persistently("PUT", InstanceAccess.ROOM, path, content);
        if (!reply.isOk()) {
            return;
        }
        var eventId = String.valueOf(reply.eventId());
        history.did(new Action(me, Kind.MESSAGE, room, eventId, root, word, start, reply.endNanos()));
        knownEvents.add(new KnownEvents.KnownEvent(room, eventId, true, root));
        if (random.nextInt(6) == 0) {
            var again = persistently("PUT", InstanceAccess.ROOM, path, content);
            if (!eventId.equals(again.eventId())) {
                history.trouble("%s said %s twice: %s, then %s".formatted(me, txnId, eventId, again));
            }
        }
    }

    /** The root of an existing or a new thread; empty for a message outside of threads. */
    private String threadRoot(String room) {
        var event = knownEvents.event(room, random, false);
        return event == null ? "" : event.thread().isEmpty() ? event.eventId() : event.thread();
    }

    private void changeMembership(String room) {
        var other = somebody().id();
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> member(room, "join", Map.of());
            case 4, 5 -> member(room, "leave", Map.of());
            case 6, 7, 8 -> member(room, "invite", Map.of("user_id", other));
            case 9 -> member(room, "kick", Map.of("user_id", other));
            case 10 -> member(room, random.nextBoolean() ? "ban" : "unban", Map.of("user_id", other));
            default -> {
                var reply = once("POST", InstanceAccess.ROOM, "/v3/knock/" + Paths.encoded(room), Map.of());
                note(Kind.MEMBERSHIP, room, null, "knock", me.id(), reply);
            }
        }
    }

    void member(String room, String action, Map<String, String> body) {
        var reply = once("POST", InstanceAccess.ROOM, Paths.room(room, "/" + action), body);
        note(Kind.MEMBERSHIP, room, null, action, body.getOrDefault("user_id", me.id()), reply);
    }

    private void changeState(String room) {
        switch (random.nextInt(9)) {
            case 0, 1 -> state(room, "m.room.name", Map.of("name", random.nextBoolean() ? "" : "Name " + word()));
            case 2, 3 -> state(room, "m.room.topic", Map.of("topic", word()));
            case 4 ->
                state(
                        room,
                        "m.room.history_visibility",
                        Map.of(
                                "history_visibility",
                                List.of("shared", "joined", "invited", "world_readable")
                                        .get(random.nextInt(4))));
            case 5 ->
                state(
                        room,
                        "m.room.join_rules",
                        Map.of(
                                "join_rule",
                                List.of("public", "public", "invite", "knock").get(random.nextInt(4))));
            case 6 ->
                state(
                        room,
                        "m.room.member/" + Paths.encoded(me.id()),
                        Map.of("membership", "join", "displayname", "I " + word()));
            default -> state(room, "org.example.thing/" + random.nextInt(2), Map.of("value", word()));
        }
    }

    private void state(String room, String type, Map<String, String> content) {
        long start = System.nanoTime();
        var reply = once("PUT", InstanceAccess.ROOM, Paths.room(room, "/state/" + type), content);
        var eventId = reply.eventId();
        if (eventId != null) {
            boolean isTopic = type.equals("m.room.topic");
            var word = isTopic ? content.getOrDefault("topic", "") : "";
            history.did(new Action(me, Kind.STATE, room, eventId, type, word, start, reply.endNanos()));
            knownEvents.add(new KnownEvents.KnownEvent(room, eventId, isTopic, ""));
        }
    }

    private void redact(String room) {
        var target = knownEvents.event(room, random, true);
        if (target != null) {
            long start = System.nanoTime();
            var path = Paths.room(room, "/redact/" + Paths.encoded(target.eventId()) + "/" + name + "-" + serial++);
            var reply = persistently("PUT", InstanceAccess.ROOM, path, Map.of());
            if (reply.isOk()) {
                history.did(new Action(
                        me, Kind.REDACTION, room, reply.eventId(), target.eventId(), "", start, reply.endNanos()));
            }
        }
    }

    private void read(String room) {
        var event = knownEvents.event(room, random, false);
        if (event == null) {
            return;
        }
        if (random.nextInt(5) == 0) {
            var reply = once(
                    "POST",
                    InstanceAccess.ROOM,
                    Paths.room(room, "/read_markers"),
                    Map.of("m.fully_read", event.eventId()));
            note(Kind.RECEIPT, room, event.eventId(), "m.fully_read", "", reply);
            return;
        }
        var type = random.nextInt(3) == 0 ? "m.read.private" : "m.read";
        var thread = switch (random.nextInt(4)) {
            case 0 -> Unread.MAIN;
            case 1 -> event.thread().isEmpty() ? Unread.MAIN : event.thread();
            default -> "";
        };
        var path = Paths.room(room, "/receipt/" + type + "/" + Paths.encoded(event.eventId()));
        long start = System.nanoTime();
        var reply = persistently(
                "POST", InstanceAccess.ROOM, path, thread.isEmpty() ? Map.of() : Map.of("thread_id", thread));
        note(Kind.RECEIPT, room, event.eventId(), (type + " " + thread).strip(), "", start, reply);
    }

    private void typing(String room, boolean types) {
        var path = Paths.room(room, "/typing/" + Paths.encoded(me.id()));
        note(
                Kind.TYPING,
                room,
                null,
                "",
                "" + types,
                persistently("PUT", InstanceAccess.ROOM, path, Map.of("typing", types)));
    }

    void keepData(@Nullable String room) {
        var type = "org.example.data" + random.nextInt(2);
        var word = word();
        var path = "/v3/user/" + Paths.encoded(me.id()) + (room == null ? "" : "/rooms/" + Paths.encoded(room))
                + "/account_data/" + type;
        var reply = persistently("PUT", InstanceAccess.AUTH, path, Map.of("word", word));
        note(Kind.ACCOUNT_DATA, room == null ? "" : room, null, type, word, reply);
    }

    private void ignore() {
        var whom = random.nextBoolean() ? "" : somebody().id();
        var users = whom.isEmpty() ? Map.of() : Map.of(whom, Map.of());
        var path = "/v3/user/" + Paths.encoded(me.id()) + "/account_data/m.ignored_user_list";
        long start = System.nanoTime();
        var reply = persistently("PUT", InstanceAccess.AUTH, path, Map.of("ignored_users", users));
        if (reply.isOk()) {
            history.did(new Action(me, Kind.IGNORE, "", null, "", whom, start, reply.endNanos()));
        }
    }

    private Person somebody() {
        return people.get(random.nextInt(people.size()));
    }

    private String word() {
        return "word-%s-%d-".formatted(name, ++serial);
    }

    private void note(Kind kind, String room, @Nullable String eventId, String subject, String value, Reply reply) {
        note(kind, room, eventId, subject, value, 0, reply);
    }

    private void note(
            Kind kind,
            String room,
            @Nullable String eventId,
            String subject,
            String value,
            long startNanos,
            Reply reply) {
        if (reply.isOk()) {
            history.did(new Action(me, kind, room, eventId, subject, value, startNanos, reply.endNanos()));
        }
    }

    /** Repeats an idempotent request until its result is known. */
    private Reply persistently(String method, String service, String path, Map<String, ?> body) {
        for (int i = 0; i < stage.retriesMax(); i++) {
            var reply = access.call(me, service, random.nextInt(access.count(service)), method, path, body);
            if (!reply.isPassing()) {
                return reply;
            }
            complain(reply, path);
            LockSupport.parkNanos(RETRY_PAUSE.toNanos());
        }
        history.trouble("%s gave up: %s".formatted(me, path));
        return Reply.lost();
    }

    private Reply once(String method, String service, String path, Map<String, ?> body) {
        var reply = access.call(me, service, random.nextInt(access.count(service)), method, path, body);
        complain(reply, path);
        return reply;
    }

    private void complain(Reply reply, String path) {
        if (reply.isBusy()) {
            history.foundBusy();
        } else if (reply.isPassing() && !stage.faults()) {
            history.trouble("%s asked %s and got %s".formatted(me, path, reply));
        }
    }
}
