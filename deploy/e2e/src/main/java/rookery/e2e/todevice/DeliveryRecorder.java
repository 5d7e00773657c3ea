package rookery.e2e.todevice;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Where all devices of a run write down what they send and are told. */
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

    /** A device has one chain of syncs, so that its answers come one after the other. */
    void answered(Device device, SyncAnswer answer) {
        answers.computeIfAbsent(device.name(), _ -> new ConcurrentLinkedQueue<>())
                .add(answer);
        if (answer.isKept()) {
            var tags = tagsByDevice.computeIfAbsent(device.name(), _ -> ConcurrentHashMap.newKeySet());
            answer.messages().forEach(message -> tags.add(message.tag()));
        }
    }

    /** Something that no fault excuses, such as a 401 for a good token. */
    void trouble(String what) {
        troubles.add(what);
    }

    /** Whether all devices have what was accepted so far. */
    boolean isAllTold() {
        return sent.stream()
                .filter(SentMessage::isAccepted)
                .allMatch(message -> message.targets().stream()
                        .allMatch(device ->
                                tagsByDevice.getOrDefault(device, Set.of()).contains(message.tag())));
    }

    List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** How many attempts had to be repeated, by the reason. */
    Map<String, Integer> failedAttempts() {
        return Map.copyOf(failedAttempts);
    }

    /** How far it is, for people. */
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
