// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The measurements of one period of {@link Life}. Latencies begin when a message was due. */
final class LifePhase {
    final Latencies acknowledged = new Latencies();
    final Latencies refused = new Latencies();
    final Latencies delivered = new Latencies();
    /** Durations of the initial syncs of reconnected users. */
    final Latencies initialSyncs = new Latencies();

    final AtomicInteger answers = new AtomicInteger();
    final AtomicInteger failedPolls = new AtomicInteger();
    final AtomicInteger receipts = new AtomicInteger();
    final AtomicInteger typings = new AtomicInteger();
    final AtomicInteger reconnects = new AtomicInteger();
    /** Receipts and typing notifications without a success. */
    final AtomicInteger failedNotices = new AtomicInteger();

    /** The first failures of requests, for people. */
    final Queue<String> failures = new ArrayBlockingQueue<>(5);

    final AtomicInteger doubled = new AtomicInteger();
    /** The acknowledged messages with the room of each. */
    final Map<Long, Life.Room> acknowledgedMessages = new ConcurrentHashMap<>();

    int sent() {
        return acknowledgedMessages.size();
    }

    int failed() {
        return refused.summary().count();
    }

    /** The number of pairs of an acknowledged message and a connected member whom the message has not reached. */
    int lost() {
        int lost = 0;
        for (var message : acknowledgedMessages.entrySet()) {
            for (var member : message.getValue().connected()) {
                lost += member.hasSeen(message.getKey()) ? 0 : 1;
            }
        }
        return lost;
    }

    /** The pairs of an acknowledged message and a connected member. */
    int due() {
        return acknowledgedMessages.values().stream()
                .mapToInt(room -> room.connected().size())
                .sum();
    }

    Map<String, Object> numbers() {
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("sent", sent());
        numbers.put("failed", failed());
        numbers.put("lost", lost());
        numbers.put("doubled", doubled.get());
        numbers.put("failed_polls", failedPolls.get());
        numbers.put("failed_receipts_and_typing", failedNotices.get());
        numbers.put("sync_answers", answers.get());
        numbers.put("receipts", receipts.get());
        numbers.put("typing", typings.get());
        numbers.put("reconnects", reconnects.get());
        numbers.put("initial_sync_ms", initialSyncs.summary());
        numbers.put("refused_ms", refused.summary());
        numbers.put("answered_ms", acknowledged.summary());
        numbers.put("delivered_ms", delivered.summary());
        return numbers;
    }
}
