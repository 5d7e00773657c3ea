// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncStream;
import rookery.sync.inbox.DevicesClient;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/** Key counts of the reader's device (contract.md 13.5). In every answer: clients read absent counts as zero. */
@Component
@Order(70)
class KeyCountsStream implements SyncStream {
    private static final ContentKey<Boolean> CHANGED = new ContentKey<>("key counts have changed");

    private final DevicesClient client;

    KeyCountsStream(DevicesClient client) {
        this.client = client;
    }

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        var device = look.poll().device;
        var states = look.inbox().devices();
        if (look.since() != null
                && states.haveCountsChanged(
                        device, look.since().userPos(), look.next().userPos())) {
            answer.put(CHANGED, true);
        }
        if (states.counts(device) != null) {
            return DONE;
        }
        return client.keyCounts(look.inbox().key(), device)
                .doOnNext(counted -> {
                    if (counted.epoch() != look.next().userEpoch()) {
                        throw Look.restoredError();
                    }
                    states.installCounts(device, counted.counts(), counted.pos());
                    counted.changes().forEach(change -> states.keysChanged(change.user(), change.pos()));
                })
                .then();
    }

    @Override
    public Urgency urgency(Answer answer) {
        return answer.get(CHANGED) == null ? Urgency.NOTHING : Urgency.NOW;
    }

    @Override
    public String extension() {
        return "e2ee";
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        var counts = poll.inbox.devices().counts(poll.device);
        if (counts == null) {
            return; // dropped by a restore just now; the client starts again
        }
        json.writeObjectPropertyStart("device_one_time_keys_count");
        counts.oneTimeKeys().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeArrayPropertyStart("device_unused_fallback_key_types");
        counts.unusedFallback().forEach(json::writeString);
        json.writeEndArray();
    }
}
