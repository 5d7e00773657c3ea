// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.event.AccountDataTypes;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.Shards;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.EventMeta.SenderPower;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.log.text.UserLogText;
import rookery.platform.push.RoomFacts;
import rookery.push.unread.FedCounter.LogText;
import tools.jackson.databind.json.JsonMapper;

/** Two tenants whose users and rooms have the same names. Random events go into the logs and into the recount. */
final class TwoTenantWorld {
    static final List<String> WORDS =
            List.of("cake", "tea", "lunch", "time", "привет", "会议", "Anna", "deploy", "a-b", "\u212aelvin");
    static final int USERS = 24;
    private static final JsonMapper JSON = JsonMapper.shared();
    static final List<TenantId> TENANTS = List.of(new TenantId(1), new TenantId(2));
    private static final List<RoomId> ROOMS = Stream.of("!a", "!b", "!c", "!D")
            .map(name -> new RoomId(name + ":one.example"))
            .toList();

    final LogText roomLog = new LogText();
    final LogText userLog = new LogText();
    final Recount recount = new Recount();
    final Random random;
    private final Map<TenantRoom, List<SentEvent>> sent = new HashMap<>();
    private final Map<TenantUser, String> invited = new LinkedHashMap<>();
    private final RandomRules rules;
    private int ids;

    private record SentEvent(EventId id, long pos, @Nullable EventId thread, boolean message) {}

    TwoTenantWorld(long seed) {
        random = new Random(seed);
        rules = new RandomRules(random, ROOMS, users());
    }

    static List<UserId> users() {
        return IntStream.range(0, USERS)
                .mapToObj(i -> new UserId("@u" + i + ":one.example"))
                .toList();
    }

    static List<TenantUser> everybody() {
        return TENANTS.stream()
                .flatMap(tenant -> users().stream().map(user -> new TenantUser(tenant, user)))
                .toList();
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Appends a random entry to a room. */
    void happens() {
        var room = new TenantRoom(oneOf(TENANTS), oneOf(ROOMS));
        var joined = recount.joined(room);
        var user = oneOf(users());
        boolean isEmpty = joined.size() < USERS * 2 / 3;
        if (isEmpty ? !joined.contains(user) : random.nextInt(20) == 0) {
            changeMembership(room, user, joined);
        } else if (joined.isEmpty()) {
            member(room, user, user, Membership.JOIN);
        } else if (random.nextInt(6) == 0) {
            read(room, oneOf(joined));
        } else if (random.nextInt(14) == 0) {
            redact(room, oneOf(joined));
        } else {
            say(room, oneOf(joined));
        }
    }

    private void changeMembership(TenantRoom room, UserId user, List<UserId> joined) {
        var tenantUser = new TenantUser(room.tenant(), user);
        if (!joined.contains(user)) {
            boolean isInvited = room.room().value().equals(invited.get(tenantUser));
            if (!joined.isEmpty() && random.nextInt(3) == 0) {
                invited.put(tenantUser, room.room().value());
                member(room, oneOf(joined), user, Membership.INVITE);
            } else if (isInvited && random.nextBoolean()) {
                member(room, user, user, Membership.LEAVE);
            } else {
                member(room, user, user, Membership.JOIN);
            }
        } else if (random.nextInt(3) == 0) {
            member(room, user, user, Membership.JOIN);
        } else {
            member(room, random.nextBoolean() ? user : oneOf(joined), user, Membership.LEAVE);
        }
    }

    private void member(TenantRoom room, UserId sender, UserId subject, Membership membership) {
        var name = random.nextInt(4) == 0 ? null : oneOf(WORDS);
        var content = new LinkedHashMap<String, Object>();
        content.put("membership", membership.word);
        if (name != null) {
            content.put("displayname", name);
        }
        int joined = recount.joined(room).size();
        var draft = new Draft(room, sender, "m.room.member", subject.value(), content, null);
        long pos = append(draft, joined, membership, null);
        var facts = new RoomFacts(joined, 0, Map.of());
        switch (membership) {
            case JOIN -> {
                recount.join(room, subject, name);
                judged(draft, pos, facts, null);
            }
            case INVITE -> {
                recount.event(room, pos, "main", sender, json(draft), facts, subject);
            }
            default -> {
                judged(draft, pos, facts, null);
                recount.leave(room, subject);
            }
        }
    }

    private record Draft(
            TenantRoom room,
            UserId sender,
            String type,
            @Nullable String stateKey,
            Map<String, Object> content,
            @Nullable EventId thread) {
        String threadName() {
            return thread == null ? "main" : thread.value();
        }
    }

    private void say(TenantRoom room, UserId sender) {
        var content = new LinkedHashMap<String, Object>();
        content.put("msgtype", random.nextInt(10) == 0 ? "m.notice" : "m.text");
        content.put(
                "body",
                String.join(
                        " ",
                        IntStream.range(0, 1 + random.nextInt(3))
                                .mapToObj(_ -> oneOf(WORDS))
                                .toList()));
        var mentions = new LinkedHashMap<String, Object>();
        if (random.nextInt(3) == 0) {
            mentions.put(
                    "user_ids", List.of(oneOf(users()).value(), oneOf(users()).value(), "nobody"));
        }
        if (random.nextInt(10) == 0) {
            mentions.put("room", true);
        }
        content.put("m.mentions", mentions);
        var type = oneOf(List.of("m.room.message", "m.room.message", "m.room.message", "m.room.encrypted", "m.poll"));
        var power = random.nextInt(3) == 0 ? new SenderPower(random.nextInt(100), Map.of("room", 50L)) : null;
        int joined = random.nextInt(4) == 0 ? 2 : recount.joined(room).size();
        var draft = new Draft(room, sender, type, null, content, thread(room));
        long pos = append(draft, joined, null, power);
        judged(
                draft,
                pos,
                new RoomFacts(
                        joined, power == null ? 0 : power.level(), power == null ? Map.of() : Map.of("room", 50L)),
                null);
    }

    private @Nullable EventId thread(TenantRoom room) {
        var all = sent.getOrDefault(room, List.of());
        if (all.isEmpty() || random.nextInt(3) > 0) {
            return null;
        }
        var root = all.get(random.nextInt(Math.min(all.size(), 5)));
        return root.message ? root.id : null;
    }

    private void judged(Draft draft, long pos, RoomFacts facts, @Nullable UserId invitee) {
        recount.event(draft.room, pos, draft.threadName(), draft.sender, json(draft), facts, invitee);
        sent.computeIfAbsent(draft.room, _ -> new ArrayList<>())
                .add(new SentEvent(
                        new EventId("$e" + ids), pos, draft.thread, draft.stateKey == null && draft.thread == null));
    }

    private void redact(TenantRoom room, UserId sender) {
        var all = sent.getOrDefault(room, List.of());
        if (all.isEmpty()) {
            return;
        }
        var target = all.get(random.nextInt(all.size()));
        ids++;
        var draft = new Draft(room, sender, "m.room.redaction", null, Map.of("redacts", target.id.value()), null);
        long pos = append(draft, 3, null, null, target);
        recount.event(room, pos, "main", sender, json(draft), new RoomFacts(3, 0, Map.of()), null);
        recount.redact(room, target.pos);
    }

    private void read(TenantRoom room, UserId reader) {
        var all = sent.getOrDefault(room, List.of());
        if (all.isEmpty()) {
            return;
        }
        var target = all.get(random.nextInt(3) == 0 ? random.nextInt(all.size()) : all.size() - 1);
        var ofThread = target.thread == null ? "main" : target.thread.value();
        var thread = random.nextBoolean() ? null : ofThread;
        var type = random.nextBoolean() ? "m.read" : "m.read.private";
        var receipt = new Receipt(target.id, target.pos, type, reader, thread, 1);
        int shard = shard(room);
        roomLog.append(new LogRecord(
                shard,
                1,
                roomLog.next(shard),
                RoomLogRecord.RECEIPT,
                true,
                room.tenant(),
                room.room(),
                null,
                RoomLogText.write(new ReceiptsSet(List.of(receipt)))));
        recount.read(room, reader, thread == null ? "" : thread, target.pos);
    }

    private long append(Draft draft, int joined, @Nullable Membership membership, @Nullable SenderPower power) {
        ids++;
        return append(draft, joined, membership, power, null);
    }

    private long append(
            Draft draft,
            int joined,
            @Nullable Membership membership,
            @Nullable SenderPower power,
            @Nullable SentEvent redacts) {
        int shard = shard(draft.room);
        long pos = roomLog.next(shard);
        var id = new EventId("$e" + ids);
        var meta = EventMeta.builder(id, draft.type, draft.sender, 1_000L * pos, new RoomAtEvent("shared", joined, 0))
                .stateKey(draft.stateKey)
                .membershipChange(membership == null ? null : new MembershipChange(Membership.LEAVE, membership))
                .redacts(redacts == null ? null : new RedactionTarget(redacts.id, redacts.pos))
                .thread(draft.thread)
                .power(power)
                .build();
        var body = RoomLogText.write(new EventAppended(meta, json(draft), null, null));
        var subject = membership == null || draft.stateKey == null ? null : new UserId(draft.stateKey);
        roomLog.append(new LogRecord(
                shard, 1, pos, RoomLogRecord.EVENT, true, draft.room.tenant(), draft.room.room(), subject, body));
        return pos;
    }

    private static int shard(TenantRoom room) {
        return room.room().value().charAt(1) % 3;
    }

    private String json(Draft draft) {
        var event = new LinkedHashMap<String, Object>();
        event.put("type", draft.type);
        event.put("sender", draft.sender.value());
        event.put("event_id", "$e" + ids);
        if (draft.stateKey != null) {
            event.put("state_key", draft.stateKey);
        }
        event.put("content", draft.content);
        return JSON.writeValueAsString(event);
    }

    /** Changes the rules or ignored users of a random user. */
    void changes() {
        var owner = oneOf(everybody());
        if (random.nextInt(4) == 0) {
            var ignored = new HashSet<String>();
            var content = new HashMap<String, Object>();
            for (int i = random.nextInt(4); i > 0; i--) {
                var user = oneOf(users()).value();
                ignored.add(user);
                content.put(user, Map.of());
            }
            userEntry(owner, AccountDataTypes.IGNORED_USERS, JSON.writeValueAsString(Map.of("ignored_users", content)));
            recount.ignore(owner, Set.copyOf(ignored));
        } else {
            var own = rules.next(owner.user());
            userEntry(owner, AccountDataTypes.PUSH_RULES, JSON.writeValueAsString(Map.of("global", own)));
            recount.rules(owner, own);
        }
    }

    private void userEntry(TenantUser user, String type, String content) {
        int shard = Shards.of(user.user());
        userLog.append(new LogRecord(
                shard,
                1,
                userLog.next(shard),
                UserLogRecord.ACCOUNT_DATA,
                true,
                user.tenant(),
                null,
                user.user(),
                UserLogText.write(new AccountDataSet(type, null, content))));
    }
}
