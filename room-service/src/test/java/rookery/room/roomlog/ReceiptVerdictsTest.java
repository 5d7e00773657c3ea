// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.text.RoomLogText;
import rookery.room.authorization.CoreState;
import rookery.room.draft.EventText;
import rookery.room.draft.RoomAnswer;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.draft.RoomDraft.ReadEvent;
import rookery.room.roomlog.Rooms.RoomHead;
import tools.jackson.databind.node.JsonNodeFactory;

/** The entries of a batch with receipts. */
class ReceiptVerdictsTest {
    private static final TenantRoom ROOM = new TenantRoom(new TenantId(1), new RoomId("!room:s"));
    private static final long HEAD = 100;

    private final Map<UserId, Membership> members = new ConcurrentHashMap<>();
    private final Map<Receipts.Key, Receipts.Current> current = new HashMap<>();

    private static UserId user(int number) {
        return new UserId("@user" + number + ":s");
    }

    private static ReadEvent read(String type, long pos) {
        return new ReadEvent(type, null, new EventId("$e" + pos), pos);
    }

    private OfReceipts draft(int user, ReadEvent... reads) {
        members.put(user(user), Membership.JOIN);
        return new OfReceipts(ROOM, user(user), List.of(reads));
    }

    private BatchVerdicts verdicts() {
        var cached = new CachedRoom(7, CoreState.of(user(0)), members);
        var rooms = new HashMap<>(
                Map.of(ROOM, new RoomWork(new RoomHead(ROOM, user(0), 7, 3, 0, false, 0, false), cached)));
        var facts = new BatchFacts(
                rooms,
                Map.of(),
                Map.of(),
                Map.of(),
                new ReferredEvents(List.of(), Map.of()),
                current,
                Map.of(),
                Map.of(),
                Map.of());
        return new BatchVerdicts(
                facts, new Head(1, 1, HEAD), new RoomLimits(_ -> Long.MAX_VALUE, _ -> Long.MAX_VALUE, _ -> {}), 1000);
    }

    private static List<EntryDraft> entries(List<Outcome<RoomAnswer>> outcomes) {
        var entries = new ArrayList<EntryDraft>();
        for (var outcome : outcomes) {
            if (outcome instanceof Outcome.Accepted<RoomAnswer>(var unit, var _)) {
                entries.addAll(unit);
            }
        }
        return entries;
    }

    private static List<Receipt> receipts(EntryDraft entry) {
        return RoomLogText.read(entry.kind(), entry.body()) instanceof ReceiptsSet set ? set.receipts() : List.of();
    }

    @Test
    void manyWhoReadTheSameMakeOneEntry() {
        var drafts = new ArrayList<RoomDraft>();
        for (int i = 0; i < 100; i++) {
            drafts.add(draft(i, read(ReceiptTypes.READ, 5)));
        }
        var verdicts = verdicts();
        var entries = entries(verdicts.judge(drafts));
        assertThat(entries).hasSize(1);
        assertThat(receipts(entries.getFirst())).hasSize(100);
        assertThat(verdicts.rows().receipts.values()).hasSize(100).allMatch(row -> row.pos() == HEAD + 1);
    }

    @Test
    void entriesStandWhereTheirRowsSay() {
        members.put(user(0), Membership.JOIN);
        var content = JsonNodeFactory.instance.objectNode();
        var text = EventText.of(ROOM, "m.room.message", null, content);
        List<RoomDraft> drafts = List.of(
                draft(1, read(ReceiptTypes.READ, 5), read(ReceiptTypes.READ_PRIVATE, 5)),
                new OfEvent(ROOM, user(0), new EventId("$new"), "m.room.message", null, content, text, null),
                draft(2, read(ReceiptTypes.READ_PRIVATE, 5)),
                draft(1, read(ReceiptTypes.READ, 6)));
        var verdicts = verdicts();
        var entries = entries(verdicts.judge(drafts));
        assertThat(entries).extracting(EntryDraft::kind).containsExactly("receipt", "receipt", "event", "receipt");
        verdicts.rows().receipts.forEach((key, row) -> {
            var entry = entries.get((int) (row.pos() - HEAD - 1));
            assertThat(receipts(entry)).contains(row.receipt());
            boolean isPrivate = key.type().equals(ReceiptTypes.READ_PRIVATE);
            assertThat(entry.subject()).isEqualTo(isPrivate ? key.user() : null);
        });
        assertThat(receipts(entries.getFirst())).extracting(Receipt::pos).containsExactly(6L);
        assertThat(verdicts.rows().events).extracting(Events.Row::pos).containsExactly(HEAD + 3);
    }

    @Test
    void whatIsNotFurtherMakesNoEntry() {
        var key = new Receipts.Key(ROOM, user(1), ReceiptTypes.READ, "");
        current.put(key, new Receipts.Current(5, 50));
        assertThat(entries(verdicts().judge(List.of(draft(1, read(ReceiptTypes.READ, 5))))))
                .isEmpty();
        var verdicts = verdicts();
        assertThat(entries(verdicts.judge(List.of(draft(1, read(ReceiptTypes.READ, 6))))))
                .hasSize(1);
        assertThat(verdicts.rows().outdated).containsExactly(new Receipts.Entry(1, 50L));
    }

    @Test
    void whoIsNotInTheRoomIsRefusedAlone() {
        var stranger = new OfReceipts(ROOM, user(9), List.of(read(ReceiptTypes.READ, 5)));
        members.put(user(9), Membership.INVITE);
        var outcomes = verdicts().judge(List.of(stranger, draft(1, read(ReceiptTypes.READ, 5))));
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Refused.class);
        assertThat(entries(outcomes)).hasSize(1);
    }
}
