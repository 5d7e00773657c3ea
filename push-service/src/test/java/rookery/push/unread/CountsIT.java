// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import rookery.embedded.TestServers;
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
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.platform.log.text.RoomLogText;
import rookery.platform.log.text.UserLogText;
import rookery.push.count.UserChanges;
import rookery.push.delivery.NewUnit;
import rookery.push.delivery.ReadUpTo;
import rookery.push.unread.CountRows.ReadRow;
import rookery.push.unread.CountRows.RequestedRoom;
import rookery.push.unread.FedCounter.LogText;

/** Counts, and the users to push to. */
class CountsIT {
    private static final TenantId TENANT = new TenantId(1);
    private static final TenantRoom ROOM = new TenantRoom(TENANT, new RoomId("!r:one.example"));
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final UserId BOB = new UserId("@bob:one.example");
    private static final UserId EVE = new UserId("@eve:one.example");
    private static final TenantUser BOBS = new TenantUser(TENANT, BOB);
    private static final int SHARD = 2;

    private final LogText roomLog = new LogText();
    private final LogText userLog = new LogText();
    private final Recorder recorder = new Recorder();
    private FedCounter counting = new FedCounter(TestServers.database("push-service"), roomLog, userLog, recorder);

    /** Records pushes, reads and redactions. */
    private static final class Recorder extends FedCounter.NoPushSink {
        final List<NewUnit> units = new ArrayList<>();
        final List<ReadUpTo> reads = new ArrayList<>();

        @Override
        public Mono<Void> add(List<NewUnit> pushes) {
            units.addAll(pushes);
            return Mono.empty();
        }

        @Override
        public Mono<Void> read(List<ReadUpTo> all) {
            reads.addAll(all);
            return Mono.empty();
        }
    }

    @BeforeEach
    void join() {
        member(ADA, ADA, Membership.JOIN, "Ada");
        member(BOB, BOB, Membership.JOIN, "Bob");
        follow();
    }

    @AfterEach
    void stop() {
        counting.close();
    }

    @Test
    void countsGoNoFurtherThanAsked() {
        long first = say(ADA, "one", null);
        say(ADA, "two", null);
        follow();
        assertThat(count(first, ask(Set.of()))).isEqualTo(Map.of("main", List.of(1L, 0L)));
        assertThat(count(Long.MAX_VALUE, ask(Set.of()))).isEqualTo(Map.of("main", List.of(2L, 0L)));
        var positions = counting.now(unread().of(BOBS, upto(first), null)).positions();
        assertThat(positions.get(SHARD)).isEqualTo(first);
        assertThat(counting.now(unread().of(BOBS, upto(99), null)).positions().get(SHARD))
                .isEqualTo(roomLog.next(SHARD) - 1);
    }

    @Test
    void whatTheAskerKnowsCountsAsIfItHadComeHere() {
        var root = new EventId("$root");
        long first = say(ADA, "one", null);
        long second = say(ADA, "bob", null, BOB);
        say(ADA, "three", root);
        follow();
        assertThat(count(99, ask(Set.of()))).isEqualTo(Map.of("main", List.of(2L, 1L), "$root", List.of(1L, 0L)));
        assertThat(count(99, ask(Set.of(), new ReadRow("main", first))))
                .isEqualTo(Map.of("main", List.of(1L, 1L), "$root", List.of(1L, 0L)));
        assertThat(count(99, ask(Set.of(), new ReadRow("", second)))).isEqualTo(Map.of("$root", List.of(1L, 0L)));
        assertThat(count(99, ask(Set.of(second)))).isEqualTo(Map.of("main", List.of(1L, 0L), "$root", List.of(1L, 0L)));
        assertThat(count(99, ask(Set.of(first, second)))).isEqualTo(Map.of("$root", List.of(1L, 0L)));
        assertThat(count(99, ask(Set.of(first), new ReadRow("main", second))))
                .isEqualTo(Map.of("$root", List.of(1L, 0L)));
    }

    @Test
    void askedRoomsAreListedWithoutAnythingUnreadAndOthersOnlyWithIt() {
        var none = new RequestedRoom(new RoomId("!none:one.example"), List.of(), Set.of());
        assertThat(counting.now(unread().of(BOBS, upto(99), List.of(none))).rooms())
                .isEqualTo(Map.of(none.room(), Map.of()));
        assertThat(counting.now(unread().of(BOBS, upto(99), null)).rooms()).isEmpty();
        say(ADA, "one", null);
        follow();
        assertThat(counting.now(unread().of(BOBS, upto(99), null)).rooms()).containsOnlyKeys(ROOM.room());
    }

    @Test
    void invitationCountsUntilItIsAnswered() {
        member(ADA, EVE, Membership.INVITE, "Eve");
        follow();
        var eves = new TenantUser(TENANT, EVE);
        assertThat(badge(EVE)).isEqualTo(1);
        member(EVE, EVE, Membership.LEAVE, null);
        follow();
        assertThat(badge(EVE)).isZero();
        assertThat(counting.now(unread().of(eves, upto(99), null)).rooms()).isEmpty();
    }

    @Test
    void endOfAnAccountLeavesNothing() throws Exception {
        say(ADA, "one bob", null, BOB);
        userEntry(BOB, new AccountDataSet(AccountDataTypes.PUSH_RULES, null, """
                {"global":{"content":[{"rule_id":"w","default":false,"enabled":true,"pattern":"cake","actions":["notify"]}]}}"""));
        userEntry(BOB, new AccountDataSet(AccountDataTypes.IGNORED_USERS, null, "{\"ignored_users\":{\"@x:y\":{}}}"));
        follow();
        userEntry(BOB, new AccountChanged(AccountState.ENDED));
        follow();
        for (var table :
                List.of("reader", "rule_term", "ignored", "member", "exception", "read_position", "member_past")) {
            assertThat(RecountIT.rows(counting.database(), table + " WHERE user_id = '" + BOB.value() + "'"))
                    .as(table)
                    .isZero();
        }
        member(BOB, BOB, Membership.LEAVE, null);
        follow();
        assertThat(RecountIT.rows(counting.database(), "room_cohort WHERE members <> 1"))
                .isZero();
    }

    @Test
    void onlyThoseWithPushersArePushedTo() {
        member(EVE, EVE, Membership.JOIN, "Eve");
        follow();
        say(ADA, "one", null);
        follow();
        assertThat(pushed()).isEmpty();
        counting.now(counting.bean(UserChanges.class).pushers(BOBS, true).thenReturn(true));
        say(ADA, "two", null);
        say(EVE, "bob", null, BOB);
        say(BOB, "mine", null);
        follow();
        assertThat(pushed()).containsExactlyInAnyOrder("@bob:one.example two", "@bob:one.example bob");
        assertThat(recorder.units).allSatisfy(unit -> {
            assertThat(unit.event().roomName()).isNull();
            assertThat(unit.event().senderDisplayName()).isIn("Ada", "Eve");
        });
        assertThat(recorder.reads).extracting(ReadUpTo::user).containsOnly(BOB); // by his own event
    }

    @Test
    void nobodyIsPushedWhatAnIgnoredUserSends() {
        counting.now(counting.bean(UserChanges.class).pushers(BOBS, true).thenReturn(true));
        userEntry(
                BOB,
                new AccountDataSet(
                        AccountDataTypes.IGNORED_USERS, null, "{\"ignored_users\":{\"@ada:one.example\":{}}}"));
        follow();
        say(ADA, "one", null);
        say(ADA, "bob", null, BOB);
        follow();
        assertThat(pushed()).isEmpty();
        assertThat(badge(BOB)).isZero();
    }

    private int badge(UserId user) {
        return Objects.requireNonNull(
                counting.now(unread().badges(TENANT, List.of(user))).get(user));
    }

    private List<String> pushed() {
        return recorder.units.stream()
                .map(unit -> unit.user().value() + " "
                        + unit.event().contentJson().replaceAll(".*\"body\":\"(\\w+)\".*", "$1"))
                .collect(Collectors.toList());
    }

    private Unread unread() {
        return counting.bean(Unread.class);
    }

    private static List<Long> upto(long pos) {
        return Collections.nCopies(Shards.COUNT, pos);
    }

    private static RequestedRoom ask(Set<Long> redacted, ReadRow... reads) {
        return new RequestedRoom(ROOM.room(), List.of(reads), redacted);
    }

    private Map<String, List<Long>> count(long upto, RequestedRoom room) {
        var threads = counting.now(unread().of(BOBS, upto(upto), List.of(room)))
                .rooms()
                .get(ROOM.room());
        var shown = new HashMap<String, List<Long>>();
        if (threads != null) {
            threads.forEach((thread, tally) -> shown.put(thread, List.of(tally.n(), tally.h())));
        }
        return shown;
    }

    private void follow() {
        counting.followRooms(new Random(1), 5);
        counting.followUsers(new Random(1), 5);
    }

    private void member(UserId sender, UserId subject, Membership membership, @Nullable String name) {
        var content = "{\"membership\":\"%s\"%s}"
                .formatted(membership.word, name == null ? "" : ",\"displayname\":\"" + name + "\"");
        event(sender, "m.room.member", subject, membership, content, null);
    }

    private long say(UserId sender, String body, @Nullable EventId thread, UserId... mentioned) {
        var users = List.of(mentioned).stream()
                .map(user -> "\"" + user.value() + "\"")
                .toList();
        var content =
                "{\"msgtype\":\"m.text\",\"body\":\"%s\",\"m.mentions\":{\"user_ids\":%s}}".formatted(body, users);
        return event(sender, "m.room.message", null, null, content, thread);
    }

    private long event(
            UserId sender,
            String type,
            @Nullable UserId subject,
            @Nullable Membership membership,
            String content,
            @Nullable EventId thread) {
        long pos = roomLog.next(SHARD);
        var id = new EventId("$" + pos);
        var key = subject == null ? null : subject.value();
        var meta = EventMeta.builder(id, type, sender, pos, new RoomAtEvent("shared", 3, 0))
                .stateKey(key)
                .membershipChange(membership == null ? null : new MembershipChange(Membership.LEAVE, membership))
                .thread(thread)
                .build();
        var json = "{\"type\":\"%s\",\"sender\":\"%s\",\"event_id\":\"%s\",%s\"content\":%s}"
                .formatted(
                        type, sender.value(), id.value(), key == null ? "" : "\"state_key\":\"" + key + "\",", content);
        roomLog.append(new LogRecord(
                SHARD,
                1,
                pos,
                RoomLogRecord.EVENT,
                true,
                TENANT,
                ROOM.room(),
                subject,
                RoomLogText.write(new EventAppended(meta, json, null, null))));
        return pos;
    }

    private void userEntry(UserId user, UserLogRecord record) {
        int shard = Shards.of(user);
        userLog.append(new LogRecord(
                shard,
                1,
                userLog.next(shard),
                UserLogText.kind(record),
                true,
                TENANT,
                null,
                user,
                UserLogText.write(record)));
    }
}
