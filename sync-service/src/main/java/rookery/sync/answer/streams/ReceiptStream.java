// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.answer.Answer;
import rookery.sync.answer.Look;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.ring.ReceiptEvents;
import rookery.sync.waiting.Urgency;

/** Receipts of rooms (contract.md 11.3). The filter's limit does not apply: a dropped receipt would never be sent again. */
@Component
@Order(20)
class ReceiptStream implements SyncStream {
    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        changes.receipts().forEach((room, receipts) -> {
            if (receipts.isEmpty() || !look.takesEphemeral(room, ReceiptEvents.TYPE)) {
                return;
            }
            var joined = answer.joined(look, room, urgency(look, receipts));
            if (joined != null) {
                EphemeralSection.add(joined, ReceiptEvents.of(receipts));
            }
        });
        return DONE;
    }

    private static Urgency urgency(Look look, List<Receipt> receipts) {
        var user = look.poll().reader.user();
        return receipts.stream().anyMatch(receipt -> receipt.user().equals(user)) ? Urgency.NOW : Urgency.LATER;
    }
}
