package rookery.platform.ephemeral;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.model.topic.Topics;
import tools.jackson.databind.json.JsonMapper;

/** Ephemeral records as Kafka records and back: tenant and room are in the headers, and together the key. */
final class EphemeralSerde {
    private static final JsonMapper JSON = JsonMapper.shared();

    private EphemeralSerde() {}

    private record TypingBody(
            @JsonProperty("user_id") UserId user,
            long pos,
            @JsonProperty("timeout_ms") long timeoutMillis,
            long ts) {}

    static ProducerRecord<String, byte[]> toTopic(Typing typing) {
        var body = new TypingBody(typing.user(), typing.pos(), typing.timeoutMillis(), typing.ts());
        String tenant = Integer.toString(typing.tenant().value());
        String room = typing.room().value();
        var record = new ProducerRecord<String, byte[]>(
                Topics.EPHEMERAL, null, typing.ts(), tenant + " " + room, JSON.writeValueAsBytes(body));
        record.headers()
                .add(Topics.HEADER_KIND, EphemeralRecord.TYPING.getBytes(UTF_8))
                .add(Topics.HEADER_TENANT, tenant.getBytes(UTF_8))
                .add(Topics.HEADER_ROOM, room.getBytes(UTF_8));
        return record;
    }

    /**
     * Null of a kind that this release does not know.
     *
     * @throws RuntimeException for a record that is none of ours
     */
    static @Nullable EphemeralRecord fromTopic(ConsumerRecord<String, byte[]> record) {
        var headers = record.headers();
        if (!text(headers, Topics.HEADER_KIND).equals(EphemeralRecord.TYPING)) {
            return null;
        }
        var body = JSON.readValue(record.value(), TypingBody.class);
        return new Typing(
                new TenantId(Integer.parseInt(text(headers, Topics.HEADER_TENANT))),
                new RoomId(text(headers, Topics.HEADER_ROOM)),
                body.user,
                body.pos,
                body.timeoutMillis,
                body.ts);
    }

    private static String text(Headers headers, String name) {
        return new String(Objects.requireNonNull(headers.lastHeader(name), name).value(), UTF_8);
    }
}
