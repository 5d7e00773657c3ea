// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/** Rookery's topics. Partitions of the two logs are shards. Retention is short, because PostgreSQL stores the logs. */
public final class KafkaTopics {
    private static final int PARTITIONS = 64;
    private static final long PATIENCE_SECONDS = 60;
    private static final Map<String, Duration> RETENTIONS = Map.of(
            "room-log", Duration.ofHours(24), "user-log", Duration.ofHours(24), "ephemeral", Duration.ofMinutes(10));

    private KafkaTopics() {}

    /**
     * Makes missing topics, and grants the services their rights.
     *
     * @param replicas of each topic
     * @param rights whether the broker has an authorizer
     */
    public static void create(Admin admin, short replicas, boolean rights) {
        var topics = RETENTIONS.entrySet().stream()
                .map(topic -> topic(topic.getKey(), replicas, topic.getValue()))
                .toList();
        for (var result : admin.createTopics(topics).values().values()) {
            try {
                await(result);
            } catch (TopicExistsException _) {
                // the topic exists from an earlier start
            }
        }
        if (rights) {
            await(admin.createAcls(KafkaUsers.rights()).all());
            awaitRights(admin);
        }
    }

    /** The controller has stored the rights; the broker applies them a moment later, and refuses the services until then. */
    private static void awaitRights(Admin admin) {
        boolean applied = Deadline.in(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() ->
                        await(admin.describeAcls(AclBindingFilter.ANY).values()).containsAll(KafkaUsers.rights()));
        if (!applied) {
            throw new ServerException(
                    "Kafka did not apply the rights of the services within %d s".formatted(PATIENCE_SECONDS));
        }
    }

    /** Deletes all records; readers and writers continue. */
    static void empty(Admin admin) {
        var deletions = new HashMap<TopicPartition, RecordsToDelete>();
        for (var topic : RETENTIONS.keySet()) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                deletions.put(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(-1));
            }
        }
        await(admin.deleteRecords(deletions).all());
    }

    /** Retention applies to closed segments only, so segments are shorter than the retention. */
    private static NewTopic topic(String name, short replicas, Duration retention) {
        return new NewTopic(name, PARTITIONS, replicas)
                .configs(Map.of(
                        TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()),
                        TopicConfig.SEGMENT_MS_CONFIG, Long.toString(retention.toMillis() / 4),
                        TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(32 << 20),
                        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));
    }

    private static <T> T await(KafkaFuture<T> result) {
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new ServerException("Kafka refused: " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new ServerException("Kafka did not answer within %d s".formatted(PATIENCE_SECONDS), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while waiting for Kafka", e);
        }
    }
}
