package rookery.sync.answer.streams;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.testing.Answer;
import rookery.sync.answer.Look;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.ring.ReceiptEvents;

/**
 * Who has read how far (contract.md 11.3). Receipts are told even where they are more events than the filter wants, because nobody
 * would hear of them again.
 */
@Component
@Order(20)
class ReceiptStream implements SyncStream {
    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        changes.receipts().forEach((room, receipts) -> {
            if (receipts.isEmpty() || !look.takesEphemeral(room, ReceiptEvents.TYPE)) {
                return;
            }
            var told = answer.joined(look, room);
            if (told != null) {
                EphemeralSection.add(told, ReceiptEvents.of(receipts));
            }
        });
        return DONE;
    }
}
