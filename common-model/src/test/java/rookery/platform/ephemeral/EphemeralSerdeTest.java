// SPDX-License-Identifier: Apache-2.0
package rookery.platform.ephemeral;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.EphemeralRecord.Typing;
import rookery.model.topic.Topics;

/** Golden records: two releases run beside each other while one replaces the other. */
class EphemeralSerdeTest {
    private static final Typing TYPING = new Typing(
            new TenantId(2), new RoomId("!room:example.org"), new UserId("@ada:example.org"), 7, 30_000, 1000);

    private static ConsumerRecord<String, byte[]> received(ProducerRecord<String, byte[]> sent) {
        return new ConsumerRecord<>(
                sent.topic(),
                3,
                9,
                sent.timestamp(),
                TimestampType.CREATE_TIME,
                0,
                0,
                sent.key(),
                sent.value(),
                sent.headers(),
                Optional.empty());
    }

    @Test
    void typingKeepsItsShape() {
        var sent = EphemeralSerde.toTopic(TYPING);
        assertThat(sent.topic()).isEqualTo("ephemeral");
        assertThat(sent.key()).isEqualTo("2 !room:example.org");
        assertThat(new String(sent.value(), UTF_8))
                .isEqualTo("{\"user_id\":\"@ada:example.org\",\"pos\":7,\"timeout_ms\":30000,\"ts\":1000}");
        assertThat(EphemeralSerde.fromTopic(received(sent))).isEqualTo(TYPING);
    }

    @Test
    void aKindOfANewerReleaseIsPassedOver() {
        var sent = EphemeralSerde.toTopic(TYPING);
        sent.headers().remove(Topics.HEADER_KIND).add(Topics.HEADER_KIND, "hologram".getBytes(UTF_8));
        assertThat(EphemeralSerde.fromTopic(received(sent))).isNull();
    }
}
