// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.RoomChanges;
import rookery.sync.answer.SyncStream;
import rookery.sync.ring.ReceiptEvents;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Receipts of rooms (contract.md 11.3). The filter's limit does not apply: a dropped receipt would never be sent again. */
@Component
@Order(20)
class ReceiptStream implements SyncStream {
    private static final ContentKey<List<Receipt>> RECEIPTS = new ContentKey<>("receipts of a room");

    @Override
    public String extension() {
        return "receipts";
    }

    /** One event for each room: of several receipts of a user for an event, in several threads, the first. */
    @Override
    public void writeExtension(Poll poll, Answer answer, JsonGenerator json) {
        json.writeObjectPropertyStart("rooms");
        for (var room : answer.rooms()) {
            var receipts = room.get(RECEIPTS);
            if (receipts != null) {
                json.writeName(room.id().value());
                json.writeRawValue(ReceiptEvents.of(receipts).getFirst());
            }
        }
        json.writeEndObject();
    }

    @Override
    public Mono<Void> addRooms(Look look, RoomChanges changes, Answer answer) {
        changes.receipts().forEach((room, all) -> {
            var receipts = look.poll().showsAsNew(room) ? needed(look, changes, room, all) : all;
            if (receipts.isEmpty()
                    || !look.takesEphemeral(room, ReceiptEvents.TYPE)
                    || !look.poll().takes(this, room)) {
                return;
            }
            var joined = answer.joined(look, room, urgency(look, receipts));
            if (joined != null) {
                joined.put(RECEIPTS, receipts);
                EphemeralSection.add(joined, ReceiptEvents.of(receipts));
            }
        });
        return DONE;
    }

    /** A client to which a room is new needs the receipts at the events it gets, and the reader's own. */
    private static List<Receipt> needed(Look look, RoomChanges changes, RoomId room, List<Receipt> receipts) {
        var sent = changes.rooms().stream()
                .filter(part -> part.room().equals(room))
                .flatMap(part -> part.timeline().stream())
                .map(line -> line.ringEvent().meta().eventId())
                .collect(Collectors.toSet());
        var user = look.poll().reader.user();
        return receipts.stream()
                .filter(receipt -> receipt.user().equals(user) || sent.contains(receipt.eventId()))
                .toList();
    }

    private static Urgency urgency(Look look, List<Receipt> receipts) {
        var user = look.poll().reader.user();
        return receipts.stream().anyMatch(receipt -> receipt.user().equals(user)) ? Urgency.NOW : Urgency.LATER;
    }
}
