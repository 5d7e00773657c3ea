// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.model.event.ReceiptTypes;
import rookery.model.id.EventId;
import rookery.model.id.UserId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;

/** The recent receipts of a room in memory. */
class ReceiptRingTest {
    private static final UserId ADA = new UserId("@ada:s");
    private static final UserId BOB = new UserId("@bob:s");
    private static final long END = Long.MAX_VALUE;

    private final ReceiptRing ring = new ReceiptRing(100, new RingBudget(Long.MAX_VALUE));

    private void add(long pos, UserId user, String type, @Nullable String thread) {
        var receipt = new Receipt(new EventId("$e" + pos), pos, type, user, thread, 1000);
        ring.add(new ReceiptsSet(List.of(receipt)), pos, pos);
    }

    private List<String> told(long after, long upto) {
        var changed = ring.between(after, upto, ADA);
        return changed == null
                ? List.of("not known")
                : changed.stream().map(receipt -> receipt.eventId().value()).toList();
    }

    @Test
    void ofEachUserTypeAndThreadTheNewestIsTold() {
        add(101, BOB, ReceiptTypes.READ, null);
        add(102, BOB, ReceiptTypes.READ, "main");
        add(103, ADA, ReceiptTypes.READ, null);
        add(104, BOB, ReceiptTypes.READ, null);
        assertThat(told(100, END)).containsExactly("$e102", "$e103", "$e104");
        assertThat(told(102, END)).containsExactly("$e103", "$e104");
        assertThat(told(100, 103)).containsExactly("$e102", "$e103"); // the newer receipt comes with the next answer
        assertThat(told(104, END)).isEmpty();
        assertThat(ring.last()).isEqualTo(104);
    }

    @Test
    void aPrivateOneIsToldItsUserOnly() {
        add(101, BOB, ReceiptTypes.READ_PRIVATE, null);
        add(102, ADA, ReceiptTypes.READ_PRIVATE, null);
        assertThat(told(100, END)).containsExactly("$e102");
    }

    @Test
    void whatIsDroppedOrMissedIsNotKnown() {
        assertThat(told(99, END)).isEqualTo(List.of("not known"));
        add(101, BOB, ReceiptTypes.READ, null);
        add(102, ADA, ReceiptTypes.READ, null);
        assertThat(ring.ownBetween(100, END, BOB)).hasSize(1);
        ring.dropBefore(102);
        assertThat(told(100, END)).isEqualTo(List.of("not known"));
        assertThat(ring.ownBetween(100, END, BOB)).isNull();
        assertThat(told(101, END)).containsExactly("$e102");
        ring.miss(103);
        assertThat(told(102, END)).isEqualTo(List.of("not known"));
        assertThat(told(103, END)).isEmpty();
        ring.add(new ReceiptsSet(List.of()), 103, 0);
        assertThat(ring.last()).isEqualTo(103);
    }

    @Test
    void aCrowdIsRememberedUpToAThousand() {
        for (int i = 1; i <= 1_001; i++) {
            add(100 + i, new UserId("@user" + i + ":s"), ReceiptTypes.READ, null);
        }
        assertThat(told(100, END)).isEqualTo(List.of("not known"));
        assertThat(told(101, END)).hasSize(1_000);
    }
}
