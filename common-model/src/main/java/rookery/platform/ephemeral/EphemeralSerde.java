// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ephemeral;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord;
import rookery.model.topic.EphemeralRecord.PresenceSet;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.model.topic.Topics;
import tools.jackson.databind.json.JsonMapper;

/** Converts ephemeral records to Kafka records and back: tenant and room are in the headers, and together the key. */
final class EphemeralSerde {
    private static final JsonMapper JSON = JsonMapper.shared();

    private EphemeralSerde() {}

    private record TypingBody(
            @JsonProperty("user_id") UserId user,
            long pos,
            @JsonProperty("timeout_ms") long timeoutMillis,
            long ts) {}

    private record PresenceBody(
            String state,
            @JsonProperty("status_msg") @Nullable String statusMsg,
            @JsonProperty("active_ts") long activeTs,
            @JsonProperty("holds_ms") long holdsMillis,
            @Nullable String displayname,
            @JsonProperty("avatar_url") @Nullable String avatarUrl,
            List<Long> rooms,
            long ts) {}

    static ProducerRecord<String, byte[]> toTopic(EphemeralRecord record) {
        return switch (record) {
            case Typing typing -> toTopic(typing);
            case PresenceSet presence -> toTopic(presence);
        };
    }

    private static ProducerRecord<String, byte[]> toTopic(Typing typing) {
        var body = new TypingBody(typing.user(), typing.pos(), typing.timeoutMillis(), typing.ts());
        String tenant = Integer.toString(typing.tenant().value());
        String room = typing.room().value();
        var record = record(EphemeralRecord.TYPING, tenant, room, typing.ts(), body);
        record.headers().add(Topics.HEADER_ROOM, room.getBytes(UTF_8));
        return record;
    }

    private static ProducerRecord<String, byte[]> toTopic(PresenceSet presence) {
        var body = new PresenceBody(
                presence.state(),
                presence.statusMsg(),
                presence.activeTs(),
                presence.holdsMillis(),
                presence.displayname(),
                presence.avatarUrl(),
                presence.rooms(),
                presence.ts());
        String tenant = Integer.toString(presence.tenant().value());
        String user = presence.user().value();
        var record = record(EphemeralRecord.PRESENCE, tenant, user, presence.ts(), body);
        record.headers().add(Topics.HEADER_SUBJECT, user.getBytes(UTF_8));
        return record;
    }

    private static ProducerRecord<String, byte[]> record(
            String kind, String tenant, String about, long ts, Object body) {
        var record = new ProducerRecord<String, byte[]>(
                Topics.EPHEMERAL, null, ts, tenant + " " + about, JSON.writeValueAsBytes(body));
        record.headers()
                .add(Topics.HEADER_KIND, kind.getBytes(UTF_8))
                .add(Topics.HEADER_TENANT, tenant.getBytes(UTF_8));
        return record;
    }

    /**
     * Returns null for a kind that this release does not know.
     *
     * @throws RuntimeException for a record in another format
     */
    static @Nullable EphemeralRecord fromTopic(ConsumerRecord<String, byte[]> record) {
        var headers = record.headers();
        return switch (text(headers, Topics.HEADER_KIND)) {
            case EphemeralRecord.TYPING -> typing(record, headers);
            case EphemeralRecord.PRESENCE -> presence(record, headers);
            default -> null;
        };
    }

    private static Typing typing(ConsumerRecord<String, byte[]> record, Headers headers) {
        var body = JSON.readValue(record.value(), TypingBody.class);
        return new Typing(
                tenant(headers),
                new RoomId(text(headers, Topics.HEADER_ROOM)),
                body.user,
                body.pos,
                body.timeoutMillis,
                body.ts);
    }

    private static PresenceSet presence(ConsumerRecord<String, byte[]> record, Headers headers) {
        var body = JSON.readValue(record.value(), PresenceBody.class);
        return new PresenceSet(
                tenant(headers),
                new UserId(text(headers, Topics.HEADER_SUBJECT)),
                body.state,
                body.statusMsg,
                body.activeTs,
                body.holdsMillis,
                body.displayname,
                body.avatarUrl,
                body.rooms,
                body.ts);
    }

    private static TenantId tenant(Headers headers) {
        return new TenantId(Integer.parseInt(text(headers, Topics.HEADER_TENANT)));
    }

    private static String text(Headers headers, String name) {
        return new String(Objects.requireNonNull(headers.lastHeader(name), name).value(), UTF_8);
    }
}
