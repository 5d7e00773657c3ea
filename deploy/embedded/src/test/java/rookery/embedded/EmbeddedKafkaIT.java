// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void theLogsHaveAPartitionForEachShard() throws Exception {
        try (var admin = Admin.create(settings())) {
            assertThat(admin.describeTopics(List.of("room-log", "user-log", "ephemeral"))
                            .allTopicNames()
                            .get()
                            .values())
                    .extracting(topic -> topic.partitions().size())
                    .containsExactly(64, 64, 64);
        }
    }

    @Test
    void acknowledgedRecordsSurviveKillAndTheAddressStays() throws Exception {
        var address = TestServers.kafka().bootstrapServers();
        send("user-log", 3, "before");

        TestServers.kafka().kill();
        TestServers.kafka().startAgain();
        send("user-log", 3, "after");

        assertThat(TestServers.kafka().bootstrapServers()).isEqualTo(address);
        assertThat(read("user-log", 3, 2)).containsExactly("before", "after");
    }

    /** A client of a broker that is not up yet waits, because the topics and rights of the earlier run come with the broker. */
    @Test
    void clientsMayStartBesideTheSecondStart(@TempDir Path folder) throws Exception {
        var flags = List.of("-XX:TieredStopAtLevel=1");
        try (var first = EmbeddedKafka.begin(folder, flags)) { // has the topics on return
            write(first, "before");
        }
        try (var second = EmbeddedKafka.begin(folder, flags)) {
            write(second, "beside");
            second.awaitTopics();
            write(second, "after");
        }
    }

    private static void write(EmbeddedKafka kafka, String text) throws Exception {
        var settings = new HashMap<>(kafka.settingsOf("room-service"));
        settings.put("max.block.ms", 120_000); // longer than a start on a busy machine
        send(settings, "room-log", 5, text);
    }

    @Test
    void emptiedTopicsHoldOnlyWhatCameLater() throws Exception {
        send("room-log", 5, "before");

        TestServers.emptyTopics();
        send("room-log", 5, "after");

        assertThat(read("room-log", 5, 1)).containsExactly("after");
    }

    @Test
    void recordsOfEveryCompressionComeBack() throws Exception {
        var codecs = List.of("gzip", "snappy", "lz4", "zstd");
        for (String codec : codecs) {
            var settings = new HashMap<>(settings());
            settings.put("compression.type", codec);
            send(settings, "ephemeral", 5, codec.repeat(10_000));
        }

        assertThat(read("ephemeral", 5, codecs.size()))
                .containsExactlyElementsOf(
                        codecs.stream().map(codec -> codec.repeat(10_000)).toList());
    }

    private static void send(String topic, int partition, String text) throws Exception {
        send(settings(), topic, partition, text);
    }

    private static void send(Map<String, Object> settings, String topic, int partition, String text) throws Exception {
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, partition, "key", text)).get();
        }
    }

    @Test
    void nobodyComesInWithoutAPassword() {
        var settings = new HashMap<String, Object>();
        settings.put("bootstrap.servers", TestServers.kafka().bootstrapServers());
        settings.put("max.block.ms", 3_000);
        assertThat(refusal(settings, "room-log")).isInstanceOf(TimeoutException.class);
        settings.putAll(TestServers.kafka().settingsOf("room-service"));
        settings.computeIfPresent(
                "sasl.jaas.config", (_, login) -> ((String) login).replace("password=\"", "password=\"0"));
        assertThat(refusal(settings, "room-log")).isInstanceOf(SaslAuthenticationException.class);
    }

    @Test
    void onlyItsOwnerWritesALog() {
        assertThat(refusal(TestServers.kafka().settingsOf("room-service"), "room-log"))
                .isNull();
        assertThat(refusal(TestServers.kafka().settingsOf("auth-service"), "user-log"))
                .isNull();
        for (String other : List.of("auth-service", "sync-service", "push-service", "directory-service")) {
            assertThat(refusal(TestServers.kafka().settingsOf(other), "room-log"))
                    .isInstanceOf(AuthorizationException.class);
        }
        assertThat(refusal(TestServers.kafka().settingsOf("push-service"), "ephemeral"))
                .isInstanceOf(AuthorizationException.class);
    }

    /**
     * Why a record is not taken; null if it is. An idempotent producer asks for its id first: if the broker refuses
     * that before the record is handed over, {@code send} itself throws, with the refusal as the cause.
     */
    private static @Nullable Throwable refusal(Map<String, Object> settings, String topic) {
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, 5, null, "refused")).get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (KafkaException e) {
            return e.getCause() instanceof AuthorizationException refused ? refused : e;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> read(String topic, int partition, int count) {
        var found = new ArrayList<String>();
        try (var consumer = new KafkaConsumer<>(settings(), new StringDeserializer(), new StringDeserializer())) {
            var source = List.of(new TopicPartition(topic, partition));
            consumer.assign(source);
            consumer.seekToBeginning(source);
            var deadline = Deadline.in(PATIENCE);
            while (found.size() < count && !deadline.passed()) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> found.add(record.value()));
            }
        }
        return found;
    }

    private static Map<String, Object> settings() {
        return TestServers.kafka().adminSettings();
    }
}
