// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.streams;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.Mark;
import rookery.model.token.TokenCodec;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncStream;
import rookery.sync.inbox.DevicesClient;
import rookery.sync.inbox.DevicesClient.Message;
import rookery.sync.inbox.DevicesClient.WaitingMessages;
import rookery.sync.inbox.ToDeviceAcknowledger;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/**
 * Messages to the reader's device, at most 100 or 1 MiB in an answer (contract.md 13.5). Auth-service stores a message until the
 * device syncs with a token after it; a repeated sync with an older token gets the message again.
 *
 * <p>The mark is the position of the last message sent while more messages wait; 0 means that the device has all messages up to
 * the token's position in the user log.
 */
@Component
@Order(60)
class ToDeviceStream implements SyncStream {
    private static final Logger log = LoggerFactory.getLogger(ToDeviceStream.class);
    private static final ContentKey<List<Message>> MESSAGES = new ContentKey<>("messages to the device");
    private static final int MESSAGES_MAX = 100;
    private static final int CHARS_MAX = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DevicesClient client;
    private final ToDeviceAcknowledger acknowledger;
    private final TokenCodec tokens;

    ToDeviceStream(DevicesClient client, ToDeviceAcknowledger acknowledger, TokenCodec tokens) {
        this.tokens = tokens;
        this.client = client;
        this.acknowledger = acknowledger;
    }

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        var key = look.inbox().key();
        var device = look.poll().device;
        var states = look.inbox().devices();
        long after = look.poll().messagesReceived();
        if (look.poll().acknowledgesMessages() && states.acknowledge(device, after)) {
            acknowledger.add(key, device, look.next().userEpoch(), after);
        }
        if (!states.mayWait(device, after)) {
            mark(answer, 0);
            return DONE;
        }
        return client.waiting(key, device, after, MESSAGES_MAX, CHARS_MAX)
                .timeout(PATIENCE)
                .doOnNext(waiting -> add(look, after, waiting, answer))
                .then()
                .onErrorResume(failure -> after > 0, failure -> later(after, failure, answer));
    }

    private static void mark(Answer answer, long position) {
        if (answer.next().marks().of(Mark.TO_DEVICE) != position) {
            answer.mark(Mark.TO_DEVICE, position);
        }
    }

    /** Adds messages up to the answer's position; a later message wakes the request. */
    private static void add(Look look, long after, WaitingMessages waiting, Answer answer) {
        if (waiting.epoch() != look.next().userEpoch()) {
            throw Look.restoredError();
        }
        var all = waiting.messages();
        var inRange = all.stream()
                .filter(message -> message.pos() <= look.next().userPos())
                .toList();
        var sent = inRange.subList(0, fitting(inRange));
        boolean isCut = sent.size() == MESSAGES_MAX || sent.size() < inRange.size() || waiting.isCut();
        long last = isCut ? waiting.pos() : all.isEmpty() ? 0 : all.getLast().pos();
        long lastSent = sent.isEmpty() ? 0 : sent.getLast().pos();
        look.inbox().devices().takeAnswer(look.poll().device, after, last, lastSent);
        mark(answer, isCut ? lastSent : 0);
        if (!sent.isEmpty()) {
            answer.put(MESSAGES, sent);
        }
    }

    /** The number of messages that fit into an answer, at least 1. */
    private static int fitting(List<Message> messages) {
        long chars = 0;
        for (int i = 0; i < messages.size(); i++) {
            chars += messages.get(i).content().toString().length();
            if (chars > CHARS_MAX && i > 0) {
                return i;
            }
        }
        return messages.size();
    }

    /** Room events do not wait for auth-service. */
    private static Mono<Void> later(long after, Throwable failure, Answer answer) {
        log.atWarn().addKeyValue("cause", failure.getMessage()).log("messages to a device come with a later answer");
        mark(answer, after);
        return DONE;
    }

    @Override
    public Urgency urgency(Answer answer) {
        return answer.get(MESSAGES) == null ? Urgency.NOTHING : Urgency.NOW;
    }

    @Override
    public String extension() {
        return "to_device";
    }

    @Override
    public void writeExtension(Poll poll, Answer answer, JsonGenerator json) {
        json.writeStringProperty("next_batch", tokens.write(answer.next(), poll.reader));
        EventsSection.writeArray("events", answer.get(MESSAGES), message -> write(message, json), json);
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        EventsSection.write("to_device", answer.get(MESSAGES), message -> write(message, json), json);
    }

    private static void write(Message message, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("type", message.type());
        json.writeStringProperty("sender", message.sender().value());
        json.writeName("content");
        json.writeRawValue(message.content().toString());
        json.writeEndObject();
    }
}
