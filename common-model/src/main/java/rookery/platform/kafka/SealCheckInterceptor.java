// SPDX-License-Identifier: Apache-2.0
package rookery.platform.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.NullUnmarked;

/**
 * Filters records without a valid seal. Kafka creates the interceptor and passes the seal in the consumer's settings. Kafka
 * delivers all records when an interceptor throws, so this interceptor never throws.
 */
@NullUnmarked // configured before use
public final class SealCheckInterceptor implements ConsumerInterceptor<String, byte[]> {
    private RecordSeal seal;

    @Override
    public void configure(Map<String, ?> settings) {
        seal = (RecordSeal) Objects.requireNonNull(settings.get(SealingInterceptor.SEAL), SealingInterceptor.SEAL);
    }

    @Override
    public ConsumerRecords<String, byte[]> onConsume(ConsumerRecords<String, byte[]> records) {
        Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> good = new HashMap<>();
        for (var partition : records.partitions()) {
            var sealed = new ArrayList<ConsumerRecord<String, byte[]>>();
            for (var record : records.records(partition)) {
                if (isGood(record)) {
                    sealed.add(record);
                }
            }
            if (!sealed.isEmpty()) {
                good.put(partition, sealed);
            }
        }
        return new ConsumerRecords<>(good, records.nextOffsets());
    }

    private boolean isGood(ConsumerRecord<String, byte[]> record) {
        try {
            return seal.isGood(record);
        } catch (RuntimeException _) {
            return false; // malformed
        }
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // nothing to do
    }

    @Override
    public void close() {
        // nothing to do
    }
}
