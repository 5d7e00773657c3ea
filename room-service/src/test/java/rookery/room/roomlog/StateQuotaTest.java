// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.Head;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.CoreState;
import rookery.room.draft.EventText;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.roomlog.Rooms.RoomHead;
import tools.jackson.databind.json.JsonMapper;

/** The state of a room has a bound, which keeps nobody from making it smaller, or from governing it (contract.md 9.2). */
class StateQuotaTest {
    private static final TenantRoom ROOM = new TenantRoom(new TenantId(1), new RoomId("!AAAAAAAAAAAAAAAAAA:s"));
    private static final UserId ADA = new UserId("@ada:s");
    private static final long QUOTA = 1_000;

    private final BatchVerdicts verdicts = verdicts();
    private int number;

    private static BatchVerdicts verdicts() {
        var members = new ConcurrentHashMap<>(Map.of(ADA, Membership.JOIN));
        var cached = new CachedRoom(7, CoreState.of(ADA), members);
        var rooms =
                new HashMap<>(Map.of(ROOM, new RoomWork(new RoomHead(ROOM, ADA, 7, 1, 0, false, 100, false), cached)));
        var facts = new BatchFacts(
                rooms,
                Map.of(),
                Map.of(),
                Map.of(),
                new ReferredEvents(List.of(), Map.of()),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of());
        return new BatchVerdicts(
                facts, new Head(1, 1, 7), new RoomLimits(_ -> QUOTA, _ -> Long.MAX_VALUE, _ -> {}), 1_000);
    }

    private boolean isTaken(String type, String stateKey, int length) {
        var content = JsonMapper.shared().createObjectNode().put("text", "x".repeat(length));
        var draft = new OfEvent(
                ROOM,
                ADA,
                new EventId("$e" + number++),
                type,
                stateKey,
                content,
                EventText.of(ROOM, type, stateKey, content),
                null);
        return verdicts.judge(List.of(draft)).getFirst() instanceof Outcome.Accepted;
    }

    @Test
    void whatWouldBeTooMuchIsRefused() {
        assertThat(isTaken("org.example.a", "", 500)).isTrue();
        assertThat(isTaken("org.example.b", "", 500)).isFalse();
        assertThat(isTaken("org.example.b", "", 200)).isTrue();
    }

    @Test
    void whatIsReplacedCountsNoMore() {
        assertThat(isTaken("org.example.a", "", 800)).isTrue();
        assertThat(isTaken("org.example.a", "", 850)).isTrue();
        assertThat(isTaken("org.example.a", "", 10)).isTrue();
        assertThat(isTaken("org.example.b", "", 700)).isTrue();
    }

    @Test
    void messagesAndWhatGovernsTheRoomAreTaken() {
        assertThat(isTaken("org.example.a", "", 860)).isTrue();
        assertThat(isTaken("org.example.b", "key", 10)).isFalse();
        assertThat(isTaken("m.room.tombstone", "", 200)).isTrue();
        assertThat(isTaken("m.room.tombstone", "key", 200)).isFalse();
    }

    @Test
    void zeroIsNoLimit() {
        assertThat(new StateProperties(DataSize.ofBytes(5)).most()).isEqualTo(5);
        assertThat(new StateProperties(DataSize.ofBytes(0)).most()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> new StateProperties(DataSize.ofBytes(-1)))
                .hasMessageContaining("rookery.room.state.bytes-max");
    }
}
