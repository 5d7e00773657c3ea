// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** Seals the records of a producer. Kafka creates the interceptor and passes the seal in the producer's settings. */
@NullUnmarked // configured before use
public final class SealingInterceptor implements ProducerInterceptor<String, byte[]> {
    static final String SEAL = "rookery.record-seal";

    private RecordSeal seal;

    @Override
    public void configure(Map<String, ?> settings) {
        seal = (RecordSeal) Objects.requireNonNull(settings.get(SEAL), SEAL);
    }

    @Override
    public ProducerRecord<String, byte[]> onSend(ProducerRecord<String, byte[]> record) {
        seal.put(record);
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, @Nullable Exception failure) {
        // nothing to do
    }

    @Override
    public void close() {
        // nothing to do
    }
}
