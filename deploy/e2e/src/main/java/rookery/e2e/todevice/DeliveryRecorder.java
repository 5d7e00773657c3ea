// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The common record of all devices of a run. */
final class DeliveryRecorder {
    private final Queue<SentMessage> sent = new ConcurrentLinkedQueue<>();
    private final Map<String, Queue<SyncAnswer>> answers = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> tagsByDevice = new ConcurrentHashMap<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> failedAttempts = new ConcurrentHashMap<>();

    void sent(SentMessage message) {
        sent.add(message);
    }

    void attemptFailed(String why) {
        failedAttempts.merge(why, 1, Integer::sum);
    }

    /** Records a response. Each device has one chain of syncs, so its responses are in order. */
    void answered(Device device, SyncAnswer answer) {
        answers.computeIfAbsent(device.name(), _ -> new ConcurrentLinkedQueue<>())
                .add(answer);
        if (answer.isKept()) {
            var tags = tagsByDevice.computeIfAbsent(device.name(), _ -> ConcurrentHashMap.newKeySet());
            answer.messages().forEach(message -> tags.add(message.tag()));
        }
    }

    /** Records a failure that kills do not excuse, such as a 401 for a valid token. */
    void trouble(String description) {
        troubles.add(description);
    }

    /** Whether all devices have received the messages accepted so far. */
    boolean isAllDelivered() {
        return sent.stream()
                .filter(SentMessage::isAccepted)
                .allMatch(message -> message.targets().stream()
                        .allMatch(device ->
                                tagsByDevice.getOrDefault(device, Set.of()).contains(message.tag())));
    }

    List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** The number of failed attempts, by reason. */
    Map<String, Integer> failedAttempts() {
        return Map.copyOf(failedAttempts);
    }

    /** The progress of the run, for reports. */
    String progress() {
        return "%d messages sent, %d attempts failed"
                .formatted(
                        sent.size(),
                        failedAttempts.values().stream()
                                .mapToInt(number -> number)
                                .sum());
    }

    DeliveryHistory history(List<StoredMessage> stored) {
        var byDevice = new HashMap<String, List<SyncAnswer>>();
        answers.forEach((device, all) -> byDevice.put(device, List.copyOf(all)));
        return new DeliveryHistory(List.copyOf(sent), byDevice, stored);
    }
}
