package rookery.sync.testing;

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
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.UserLogText;
import rookery.sync.testing.ScriptedLog.Draft;
import tools.jackson.databind.json.JsonMapper;

/** Auth-service from a script: account data and sessions, and the user log. */
public final class ScriptedUsers {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final TenantId TENANT = new TenantId(1);

    private final ScriptedLog log = new ScriptedLog();
    private final Map<String, Map<String, Object>> data = new LinkedHashMap<>();
    private final Consumer<List<LogRecord>> publisher;

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

    private LogRecord append(UserId user, UserLogRecord record) {
        var draft = new Draft(UserLogText.kind(record), TENANT, null, user, UserLogText.write(record));
        var records = log.append(Shards.of(user), List.of(draft));
        publisher.accept(records);
        return records.getFirst();
    }

    synchronized Object answer(String path, Map<String, String> query, byte[] body) {
        if (path.equals("/internal/log/heads")) {
            return log.headsAnswer();
        }
        if (path.startsWith("/internal/log/")) {
            int shard = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            return log.rangeAnswer(shard, Long.parseLong(query.getOrDefault("after", "0")), 200);
        }
        var user = new UserId(path.split("/", -1)[3]);
        int shard = Shards.of(user);
        var events = data.values().stream()
                .filter(item -> user.value().equals(item.get("owner")))
                .toList();
        return Map.of("epoch", log.epoch(), "pos", log.heads()[shard], "shard", shard, "events", events);
    }
}
