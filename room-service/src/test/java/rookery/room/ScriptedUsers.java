// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands in for auth-service: profiles, addresses, account data and the user log. Users whose name begins with "no" do not exist.
 */
final class ScriptedUsers {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** What is answered with status 409. */
    static final String CONFLICT = "{\"errcode\":\"M_UNKNOWN\",\"error\":\"scripted\"}";

    private static final TenantId TENANT = new TenantId(1);

    private final List<List<LogRecord>> shards = new ArrayList<>();
    private final Map<String, ScriptedProfile> profiles = new HashMap<>();
    private final Map<String, LogRecord> ignoreLists = new HashMap<>();
    /** Where users' {@code m.fully_read} markers are, by user and room, as auth-service answers them. */
    private final Map<String, Map<String, Object>> markers = new HashMap<>();

    private @Nullable String meanwhile;
    private final List<String> carriedOver = new ArrayList<>();
    private boolean logIsAway;
    private boolean dataIsAway;

    private record ScriptedProfile(@Nullable String displayname, long pos) {}

    ScriptedUsers() {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            shards.add(new ArrayList<>());
        }
    }

    /** The user changes their name. */
    synchronized void rename(String user, @Nullable String displayname) {
        var entry = append(user, new ProfileSet(displayname, null));
        profiles.put(user, new ScriptedProfile(displayname, entry.pos()));
    }

    /** The keys of somebody look different to the user; to everybody if that is the user. */
    synchronized void changeKeys(String user, String of) {
        var changed = new DeviceKeysChanged(new UserId(of));
        append(user, DeviceLogText.kind(changed), DeviceLogText.write(changed));
    }

    /** An administrator blocks the user. */
    synchronized void block(String user) {
        append(user, new AccountChanged(AccountState.BLOCKED));
    }

    /** Sets the answer about a profile, independent of the log. */
    synchronized void answer(String user, String displayname, long pos) {
        profiles.put(user, new ScriptedProfile(displayname, pos));
    }

    synchronized void ignore(String user, String... ignored) {
        var content = JSON.createObjectNode();
        var list = content.putObject("ignored_users");
        for (String other : ignored) {
            list.putObject(other);
        }
        ignoreLists.put(user, append(user, new AccountDataSet("m.ignored_user_list", null, content.toString())));
    }

    /** Whether followers are told nothing new. */
    synchronized void logIsAway(boolean away) {
        logIsAway = away;
    }

    private LogRecord append(String user, UserLogRecord record) {
        return append(user, UserLogText.kind(record), UserLogText.write(record));
    }

    private LogRecord append(String user, String kind, String body) {
        var id = new UserId(user);
        var shard = shards.get(Shards.of(id));
        var entry = new LogRecord(Shards.of(id), 1, shard.size() + 1, kind, true, TENANT, null, id, body);
        shard.add(entry);
        return entry;
    }

    String answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        var question = JSON.readTree(exchange.getRequestBody().readAllBytes());
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        synchronized (this) {
            if (path.equals("/internal/profiles")) {
                return profiles(question);
            }
            if (path.equals("/internal/threepids/bound")) {
                return bound(question);
            }
            if (path.endsWith("/account-data/m.fully_read")) {
                return JSON.writeValueAsString(
                        marker(path.split("/", -1)[3] + query.substring(query.indexOf("room="))));
            }
            if (path.endsWith("/account-data") && exchange.getRequestMethod().equals("POST")) {
                return setMarker(path.split("/", -1)[3], question);
            }
            if (path.endsWith("/carry-over")) {
                return carryOver(path.split("/", -1)[3], question);
            }
            if (path.endsWith("/account-data")) {
                return accountData(path.split("/", -1)[3], query);
            }
            if (logIsAway) {
                return "away";
            }
            return path.endsWith("/heads")
                    ? heads()
                    : range(Integer.parseInt(path.substring("/internal/log/".length())), number(query, "after"));
        }
    }

    private Map<String, Object> marker(String userAndRoom) {
        var marker = markers.get(userAndRoom);
        return marker == null ? Map.of("pos", 0) : marker;
    }

    private String setMarker(String user, JsonNode question) {
        String key = user + "room=" + question.path("room").stringValue();
        long pos = ((Number) Objects.requireNonNull(marker(key).get("pos"))).longValue();
        if (meanwhile != null) {
            var other = meanwhile;
            meanwhile = null;
            markers.put(key, Map.of("content", Map.of("event_id", other), "pos", pos + 1));
            pos++;
        }
        if (question.path("read_at").longValue() != pos) {
            return CONFLICT;
        }
        markers.put(key, Map.of("content", question.path("content"), "pos", pos + 1));
        return "{\"pos\":" + (pos + 1) + "}";
    }

    /** Another device of the user sets the marker just before this one does. */
    synchronized void setMeanwhile(String event) {
        meanwhile = event;
    }

    /** The event of the user's marker in a room, empty without a marker, and the number of its changes. */
    synchronized String fullyRead(String user, String room) {
        var content = JSON.valueToTree(marker(user + "room=" + room));
        return content.path("content").path("event_id").asString("") + " "
                + content.path("pos").longValue();
    }

    private String profiles(JsonNode question) {
        var answer = JSON.createObjectNode();
        var byUser = answer.putObject("profiles");
        for (var user : question.get("users")) {
            String id = user.stringValue();
            if (!id.startsWith("@no")) {
                var profile = profiles.getOrDefault(id, new ScriptedProfile(id.substring(1, 4), 0));
                var shown = byUser.putObject(id)
                        .put("epoch", 1)
                        .put("pos", profile.pos)
                        .put("blocks_invites", id.startsWith("@hermit"));
                if (profile.displayname != null) {
                    shown.put("displayname", profile.displayname);
                }
            }
        }
        return answer.toString();
    }

    /** {@code bob@mail.example} is bound by Bob; no other domain has users. */
    private static String bound(JsonNode question) {
        var answer = JSON.createObjectNode();
        var users = answer.putArray("users");
        for (var address : question.get("addresses")) {
            String text = address.get("address").stringValue();
            if (address.get("medium").stringValue().equals("email") && text.endsWith("@mail.example")) {
                users.add("@" + text.substring(0, text.indexOf('@')) + ":" + RoomServer.ORG);
            }
        }
        return answer.toString();
    }

    /** What was to be carried over: user, old and new room, with spaces between. */
    synchronized List<String> carriedOver() {
        return List.copyOf(carriedOver);
    }

    /** Whether what users have is not to be changed now. */
    synchronized void dataIsAway(boolean away) {
        dataIsAway = away;
    }

    private String carryOver(String user, JsonNode question) {
        if (dataIsAway) {
            return "away";
        }
        carriedOver.add(user + " " + question.path("from_room").asString() + " "
                + question.path("to_room").asString());
        return "{}";
    }

    private String accountData(String user, String query) {
        var answer = JSON.createObjectNode().put("epoch", 1).put("pos", 0).put("shard", 0);
        var events = answer.putArray("events");
        var entry = ignoreLists.get(user);
        if (entry != null && entry.pos() > number(query, "after")) {
            events.addObject()
                    .put("type", "m.ignored_user_list")
                    .put("pos", entry.pos())
                    .set(
                            "content",
                            JSON.readTree(entry.body().substring(entry.body().indexOf('\n') + 1)));
        }
        return answer.toString();
    }

    private String heads() {
        return JSON.writeValueAsString(
                Map.of("epoch", 1, "positions", shards.stream().map(List::size).toList()));
    }

    private String range(int shard, long after) {
        var all = shards.get(shard);
        return JSON.writeValueAsString(Map.of(
                "epoch",
                1,
                "entries",
                all.subList((int) after, all.size()),
                "number",
                0,
                "covered_to",
                all.size(),
                "head",
                all.size()));
    }

    private static long number(String query, String name) {
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return Long.parseLong(pair.substring(name.length() + 1));
            }
        }
        return 0;
    }
}
