// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.model.id.DeviceId;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.text.DeviceLogText;
import rookery.platform.log.text.UserLogText;
import rookery.sync.testing.ScriptedLog.Draft;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A scripted auth-service: account data, sessions, and the user log. */
public final class ScriptedUsers {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TenantId TENANT = new TenantId(1);

    private final ScriptedLog log = new ScriptedLog();
    private final Map<String, Map<String, Object>> data = new LinkedHashMap<>();
    private final List<Message> messages = new ArrayList<>();
    private final Map<String, KeyCountsSet> counts = new HashMap<>();
    private final Map<UserId, List<Map<String, Object>>> keyChanges = new HashMap<>();
    private final Consumer<List<LogRecord>> publisher;

    private record Message(UserId user, long pos, ToDeviceSent sent) {
        boolean isTo(String user, String device) {
            return this.user.value().equals(user) && sent.device().value().equals(device);
        }
    }

    ScriptedUsers(Consumer<List<LogRecord>> publisher) {
        this.publisher = publisher;
    }

    public ScriptedLog log() {
        return log;
    }

    public synchronized void set(UserId user, @Nullable RoomId room, String type, String content) {
        var entry = append(user, new AccountDataSet(type, room, content));
        var item = new LinkedHashMap<String, Object>();
        item.put("owner", user.value());
        item.put("type", type);
        if (room != null) {
            item.put("room", room.value());
        }
        item.put("content", JSON.readTree(content));
        item.put("pos", entry.pos());
        data.put(user.value() + "|" + type + "|" + room, item);
    }

    public synchronized void rename(UserId user, String displayname) {
        append(user, new ProfileSet(displayname, null));
    }

    public synchronized void endSession(UserId user, DeviceId device) {
        append(user, new SessionEnded(device));
    }

    public synchronized void lockSession(UserId user, DeviceId device) {
        append(user, new SessionLocked(device));
    }

    /** Sends a message to a device. */
    public synchronized long send(UserId user, DeviceId device, String type, String content) {
        var message = new ToDeviceSent(device, type, user, content);
        long pos = append(user, DeviceLogText.kind(message), DeviceLogText.write(message))
                .pos();
        messages.add(new Message(user, pos, message));
        return pos;
    }

    /** Changes the key counts of a device. */
    public synchronized void setKeyCounts(UserId user, DeviceId device, long oneTimeKeys, List<String> unusedFallback) {
        var set = new KeyCountsSet(device, Map.of("signed_curve25519", oneTimeKeys), unusedFallback);
        append(user, DeviceLogText.kind(set), DeviceLogText.write(set));
        counts.put(user.value() + "|" + device.value(), set);
    }

    /** The keys of a user have changed: the user's own, or those of another user with the user's signature. */
    public synchronized void changeKeys(UserId user, UserId of) {
        var changed = new DeviceKeysChanged(of);
        long pos = append(user, DeviceLogText.kind(changed), DeviceLogText.write(changed))
                .pos();
        keyChanges.computeIfAbsent(user, _ -> new ArrayList<>()).add(Map.of("user", of.value(), "pos", pos));
    }

    /** The positions of the user's unacknowledged messages. */
    public synchronized List<Long> waiting(UserId user) {
        return messages.stream()
                .filter(message -> message.user.equals(user))
                .map(Message::pos)
                .toList();
    }

    private LogRecord append(UserId user, UserLogRecord record) {
        return append(user, UserLogText.kind(record), UserLogText.write(record));
    }

    private LogRecord append(UserId user, String kind, String body) {
        var draft = new Draft(kind, TENANT, null, user, body);
        var records = log.append(Shards.of(user), List.of(draft));
        publisher.accept(records);
        return records.getFirst();
    }

    /** A page ends with the message that fills it, as in auth-service. */
    private Map<String, Object> waiting(UserId user, String device, Map<String, String> query) {
        long after = Long.parseLong(query.getOrDefault("after", "0"));
        long limit = Long.parseLong(query.getOrDefault("limit", "100"));
        long bytes = Long.parseLong(query.getOrDefault("bytes", "1000000000"));
        var page = new ArrayList<Map<String, Object>>();
        for (var message : messages) {
            if (message.isTo(user.value(), device) && message.pos > after) {
                if (bytes <= 0 || page.size() == limit) {
                    return Map.of("messages", page, "cut", true);
                }
                page.add(shown(message));
                bytes -= message.sent.contentJson().length();
            }
        }
        return Map.of("messages", page, "cut", false);
    }

    private static Map<String, Object> shown(Message message) {
        return Map.of(
                "pos",
                message.pos,
                "type",
                message.sent.type(),
                "sender",
                message.sent.sender(),
                "content",
                JSON.readTree(message.sent.contentJson()));
    }

    private Map<String, Object> keyCounts(UserId user, String device) {
        var set = counts.get(user.value() + "|" + device);
        return set == null
                ? Map.of("one_time_keys", Map.of("signed_curve25519", 0), "unused_fallback", List.of())
                : Map.of("one_time_keys", set.oneTimeKeys(), "unused_fallback", set.unusedFallback());
    }

    private void delete(JsonNode acknowledged) {
        if (acknowledged.path("epoch").asLong() == log.epoch()) {
            messages.removeIf(message -> message.isTo(
                            acknowledged.path("user").asString(),
                            acknowledged.path("device").asString())
                    && message.pos <= acknowledged.path("pos").asLong());
        }
    }

    synchronized Object answer(String path, Map<String, String> query, byte[] body) {
        if (path.equals("/internal/log/heads")) {
            return log.headsAnswer();
        }
        if (path.startsWith("/internal/log/")) {
            int shard = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            return log.rangeAnswer(shard, Long.parseLong(query.getOrDefault("after", "0")), 200);
        }
        if (path.equals("/internal/to-device/acknowledge")) {
            JSON.readTree(body).path("devices").forEach(this::delete);
            return Map.of();
        }
        var parts = path.split("/", -1);
        var user = new UserId(parts[3]);
        int shard = Shards.of(user);
        if (parts[4].equals("devices")) {
            var answer = new LinkedHashMap<String, Object>(
                    Map.of("epoch", log.epoch(), "pos", log.heads()[shard], "shard", shard));
            answer.putAll(parts[6].equals("to-device") ? waiting(user, parts[5], query) : keyCounts(user, parts[5]));
            answer.put("key_changes", keyChanges.getOrDefault(user, List.of()));
            return answer;
        }
        var events = data.values().stream()
                .filter(item -> user.value().equals(item.get("owner")))
                .toList();
        return Map.of("epoch", log.epoch(), "pos", log.heads()[shard], "shard", shard, "events", events);
    }
}
