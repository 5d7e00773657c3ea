// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rookery.model.crypto.HmacSha256;
import rookery.model.topic.Topics;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/**
 * The header that authenticates records of this installation: an HMAC over topic, partition (or key and timestamp of a record
 * with a key), other headers and value. A client of the broker can therefore neither forge, alter nor move a record (design.md
 * 12, Records).
 */
public final class RecordSeal {
    static final String HEADER = "seal";

    private static final Logger log = LoggerFactory.getLogger(RecordSeal.class);
    private static final long COMPLAINT_NANOS = 60_000_000_000L;

    private final HmacSha256 hmac;
    private final MeterRegistry meters;
    private final AtomicLong complainedNanos = new AtomicLong(System.nanoTime() - COMPLAINT_NANOS);

    public RecordSeal(InternalProperties properties, MeterRegistry meters) {
        this.hmac = new HmacSha256(properties.required(ServiceName.RECORDS));
        this.meters = meters;
        // Registers the counters with 0, because the first refusal would otherwise not show as an increase.
        List.of(Topics.ROOM_LOG, Topics.USER_LOG, Topics.EPHEMERAL).forEach(this::refused);
    }

    /** Seals a record, which must have all its other headers. */
    public void put(ProducerRecord<String, byte[]> record) {
        record.headers().remove(HEADER);
        record.headers()
                .add(
                        HEADER,
                        hmac.of(text(
                                record.topic(),
                                Objects.requireNonNullElse(record.partition(), -1),
                                record.key(),
                                Objects.requireNonNullElse(record.timestamp(), -1L),
                                record.headers(),
                                record.value())));
    }

    /** Whether this installation has sent the record unaltered. Any other record is treated as absent. */
    boolean isGood(ConsumerRecord<String, byte[]> record) {
        var seal = record.headers().lastHeader(HEADER);
        boolean good = seal != null
                && record.value() != null
                && MessageDigest.isEqual(
                        seal.value(),
                        hmac.of(text(
                                record.topic(),
                                record.partition(),
                                record.key(),
                                record.timestamp(),
                                record.headers(),
                                record.value())));
        if (!good) {
            refuse(record.topic());
        }
        return good;
    }

    private static byte[] text(
            String topic, int partition, @Nullable String key, long timestamp, Headers headers, byte[] value) {
        var bytes = new ByteArrayOutputStream(value.length + 512);
        try (var out = new DataOutputStream(bytes)) {
            put(out, topic.getBytes(UTF_8));
            if (key == null) {
                out.writeInt(partition);
            } else {
                out.writeInt(-1); // the broker chooses the partition
                put(out, key.getBytes(UTF_8));
                out.writeLong(timestamp);
            }
            for (var header : headers) {
                if (!header.key().equals(HEADER)) {
                    put(out, header.key().getBytes(UTF_8));
                    put(out, header.value());
                }
            }
            out.writeInt(-1);
            put(out, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes the length first, so that no two records have the same encoding. */
    private static void put(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private Counter refused(String topic) {
        return Counter.builder("kafka_records_refused")
                .description("records without a valid seal, which were dropped")
                .tag("topic", topic)
                .register(meters);
    }

    /** Counts every refusal and logs once a minute, because there may be ten thousand a second. */
    private void refuse(String topic) {
        refused(topic).increment();
        long now = System.nanoTime();
        long before = complainedNanos.get();
        if (now - before >= COMPLAINT_NANOS && complainedNanos.compareAndSet(before, now)) {
            log.atError()
                    .addKeyValue("topic", topic)
                    .log(
                            "records without a valid seal are dropped: another program writes to this installation's Kafka");
        }
    }
}
