// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.Topics;

/** Log entries as Kafka records: the value is the body, and the headers have the rest ({@link Topics}). */
public final class TopicSerde {
    private TopicSerde() {}

    public static ProducerRecord<String, byte[]> toTopic(String topic, LogRecord entry) {
        var record = new ProducerRecord<String, byte[]>(
                topic, entry.shard(), null, entry.body().getBytes(UTF_8));
        var headers = record.headers();
        put(headers, Topics.HEADER_KIND, entry.kind());
        put(headers, Topics.HEADER_EPOCH, Long.toString(entry.epoch()));
        put(headers, Topics.HEADER_POS, Long.toString(entry.pos()));
        put(headers, Topics.HEADER_UNIT_END, Boolean.toString(entry.unitEnd()));
        put(headers, Topics.HEADER_TENANT, Integer.toString(entry.tenant().value()));
        put(headers, Topics.HEADER_BATCH, Long.toString(entry.batch()));
        put(headers, Topics.HEADER_PREVIOUS, Long.toString(entry.previous()));
        if (entry.room() != null) {
            put(headers, Topics.HEADER_ROOM, entry.room().value());
        }
        if (entry.subject() != null) {
            put(headers, Topics.HEADER_SUBJECT, entry.subject().value());
        }
        return record;
    }

    /**
     * Parses an entry; its body is empty unless wanted.
     *
     * @throws RuntimeException for a record in another format; the hole is read from the owner
     */
    public static LogRecord fromTopic(ConsumerRecord<String, byte[]> record, Predicate<LogRecord> wantsBody) {
        var headers = record.headers();
        String room = text(headers, Topics.HEADER_ROOM);
        String subject = text(headers, Topics.HEADER_SUBJECT);
        var bare = new LogRecord(
                record.partition(),
                Long.parseLong(required(headers, Topics.HEADER_EPOCH)),
                Long.parseLong(required(headers, Topics.HEADER_POS)),
                required(headers, Topics.HEADER_KIND),
                Boolean.parseBoolean(required(headers, Topics.HEADER_UNIT_END)),
                new TenantId(Integer.parseInt(required(headers, Topics.HEADER_TENANT))),
                room == null ? null : new RoomId(room),
                subject == null ? null : new UserId(subject),
                "",
                Long.parseLong(required(headers, Topics.HEADER_BATCH)),
                Long.parseLong(required(headers, Topics.HEADER_PREVIOUS)));
        return wantsBody.test(bare) ? bare.withBody(new String(record.value(), UTF_8)) : bare;
    }

    private static void put(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(UTF_8));
    }

    private static String required(Headers headers, String name) {
        return Objects.requireNonNull(text(headers, name), name);
    }

    private static @Nullable String text(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }
}
