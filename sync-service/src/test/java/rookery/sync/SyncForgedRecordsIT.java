// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.model.topic.LogRecord;
import rookery.model.topic.Topics;
import rookery.sync.testing.SyncNode;
import rookery.sync.testing.World;

/** A publisher without the key can neither insert nor hide entries (design.md 12, Records). */
class SyncForgedRecordsIT {
    private static final int MESSAGES = 40;
    private static final int GARBAGE = 10_000;
    private static final Duration POLL = Duration.ofMillis(100);

    @RegisterExtension
    static final World world = World.own();

    private static SyncNode node;
    private static KafkaProducer<String, byte[]> forger;
    private static KafkaConsumer<String, byte[]> listener;

    private final UserId ada = World.user("ada");
    private final UserId bob = World.user("bob");

    @BeforeAll
    static void start() {
        node = world.node();
        // with the administrator's password
        var settings = world.kafka().adminSettings();
        forger = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
        listener = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
        var partitions = IntStream.range(0, Shards.COUNT)
                .mapToObj(shard -> new TopicPartition(Topics.ROOM_LOG, shard))
                .toList();
        listener.assign(partitions);
        listener.seekToBeginning(partitions);
    }

    @AfterAll
    static void stop() {
        forger.close();
        listener.close();
    }

    @Test
    void whatOthersWriteIsNotToldAndHidesNothing() {
        var room = world.rooms.create(3, ada, bob);
        var reader = world.reader(ada, () -> node);
        var sent = new ArrayList<String>();
        for (int i = 0; i < MESSAGES; i++) {
            sent.add(ada.localpart() + i);
            world.rooms.send(room, bob, ada.localpart() + i, records -> {
                records.forEach(entry -> forgeBefore(entry, ada.localpart()));
                forger.flush();
                world.roomPublisher.accept(records);
                replayElsewhere();
            });
        }
        SyncNode.until(() -> reader.count() >= sent.size() || !reader.troubles().isEmpty());
        reader.pollTwiceMore();
        assertThat(reader.troubles()).isEmpty();
        assertThat(reader.told(room)).isEqualTo(sent);
    }

    @Test
    void floodOfGarbageStopsNobody() {
        var room = world.rooms.create(5, ada, bob);
        var reader = world.reader(ada, () -> node);
        for (int i = 0; i < GARBAGE; i++) {
            send(new ProducerRecord<>(Topics.ROOM_LOG, i % Shards.COUNT, null, new byte[i % 300]));
        }
        world.rooms.send(room, bob, "through", world.roomPublisher);
        SyncNode.until(() -> reader.count() >= 1);
        assertThat(reader.told(room)).containsExactly("through");
    }

    private static void send(ProducerRecord<String, byte[]> record) {
        var _ = forger.send(record);
    }

    /** Forges records in place of an entry: altered, of another epoch, truncated, with a wrong seal, and without a seal. */
    private static void forgeBefore(LogRecord entry, String word) {
        assertThat(entry.body()).contains(word);
        String body = entry.body().replace(word, "forged");
        send(record(entry, entry.epoch(), body, null));
        send(record(entry, entry.epoch(), body, new byte[32]));
        if (entry.pos() % 10 == 0) { // accepted, this record would restart following; no other effect would show
            send(record(entry, Long.MAX_VALUE, body, null));
        }
        send(record(entry, entry.epoch(), body.substring(0, body.length() / 2), null));
        send(new ProducerRecord<>(Topics.ROOM_LOG, entry.shard(), null, null));
    }

    private static ProducerRecord<String, byte[]> record(
            LogRecord entry, long epoch, String body, byte @Nullable [] seal) {
        var record = new ProducerRecord<String, byte[]>(Topics.ROOM_LOG, entry.shard(), null, body.getBytes(UTF_8));
        Map.of(
                        Topics.HEADER_KIND, entry.kind(),
                        Topics.HEADER_EPOCH, Long.toString(epoch),
                        Topics.HEADER_POS, Long.toString(entry.pos()),
                        Topics.HEADER_UNIT_END, Boolean.toString(entry.unitEnd()),
                        Topics.HEADER_TENANT, Integer.toString(entry.tenant().value()),
                        Topics.HEADER_ROOM, Objects.requireNonNull(entry.room()).value())
                .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        if (seal != null) {
            record.headers().add("seal", seal);
        }
        return record;
    }

    /** Valid records, moved to another partition or position. */
    private static void replayElsewhere() {
        Set<Integer> seen = new HashSet<>();
        for (ConsumerRecord<String, byte[]> record : listener.poll(POLL)) {
            if (record.headers().lastHeader("seal") == null || !seen.add(record.partition())) {
                continue;
            }
            int other = (record.partition() + 1) % Shards.COUNT;
            send(new ProducerRecord<String, byte[]>(
                    record.topic(), other, (String) null, record.value(), record.headers()));
            send(new ProducerRecord<String, byte[]>(
                    record.topic(), record.partition(), (String) null, record.value(), headers(record)));
        }
    }

    private static List<Header> headers(ConsumerRecord<String, byte[]> record) {
        var headers = new ArrayList<Header>();
        for (var header : record.headers()) {
            headers.add(
                    header.key().equals(Topics.HEADER_POS)
                            ? new RecordHeader(
                                    header.key(),
                                    Long.toString(Long.parseLong(new String(header.value(), UTF_8)) + 1)
                                            .getBytes(UTF_8))
                            : header);
        }
        return headers;
    }
}
