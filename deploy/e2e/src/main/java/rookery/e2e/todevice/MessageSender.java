// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import rookery.e2e.api.Paths;
import rookery.e2e.load.Attempts;

/**
 * The outgoing messages of one device: each is repeated with its transaction id until success, then the next is sent. Some are
 * repeated once more later, which must change nothing.
 */
final class MessageSender implements Runnable {
    private static final String RANDOM = "L64X128MixRandom";
    /** The content key of the unique tag. */
    static final String TAG = "rookery.tag";

    private static final String ALL = "*";
    private static final int REPEATED_EVERY = 10;
    private static final int REPEATED_BACK = 5;
    private static final int RECIPIENTS_MAX = 3;

    private final Device device;
    private final List<Device> all;
    private final DeliveryRecorder recorder;
    private final Attempts attempts;
    private final Duration pause;
    private final BooleanSupplier isOver;
    private final RandomGenerator random;
    private final List<Request> requests = new ArrayList<>();

    /** A repeatable request. */
    private record Request(String tag, Map<String, Map<String, Object>> messages, Set<String> targets) {}

    /**
     * @param all devices of the same tenant; the first receives half of all messages
     * @param pause between two messages
     * @param isOver called before each message
     */
    MessageSender(
            Device device,
            List<Device> all,
            DeliveryRecorder recorder,
            Attempts attempts,
            Duration pause,
            BooleanSupplier isOver) {
        this.device = device;
        this.all = all;
        this.recorder = recorder;
        this.attempts = attempts;
        this.pause = pause;
        this.isOver = isOver;
        this.random = RandomGeneratorFactory.of(RANDOM).create(device.name().hashCode());
    }

    @Override
    public void run() {
        for (int number = 1; !isOver.getAsBoolean(); number++) {
            var request = request("%s/%d".formatted(device.name(), number));
            requests.add(request);
            long begunNanos = System.nanoTime();
            boolean isAccepted = isAccepted(request);
            recorder.sent(new SentMessage(
                    device.userId(),
                    device.name(),
                    request.tag,
                    request.targets,
                    begunNanos,
                    isAccepted ? System.nanoTime() : null));
            if (number % REPEATED_EVERY == 0) {
                isAccepted(requests.get(number - 1 - random.nextInt(REPEATED_BACK)));
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    private boolean isAccepted(Request request) {
        var path = "/v3/sendToDevice/rookery.test/" + Paths.encoded(request.tag);
        var body = Map.of("messages", request.messages);
        return attempts.untilAccepted(
                        request.tag, () -> device.session().call("PUT", path, body), recorder::attemptFailed)
                != null;
    }

    /** A message to one device, to all devices of a user, or to devices of several users. */
    private Request request(String tag) {
        Map<String, Map<String, Object>> messages = new HashMap<>();
        var targets = new HashSet<String>();
        switch (random.nextInt(5)) {
            case 0 -> addAll(any(), tag, messages, targets);
            case 1 -> {
                for (int i = 0; i < RECIPIENTS_MAX; i++) {
                    add(any(), tag, messages, targets);
                }
            }
            default -> add(random.nextBoolean() ? all.getFirst() : any(), tag, messages, targets);
        }
        return new Request(tag, messages, targets);
    }

    private Device any() {
        return all.get(random.nextInt(all.size()));
    }

    private static void add(Device to, String tag, Map<String, Map<String, Object>> messages, Set<String> targets) {
        messages.computeIfAbsent(to.userId(), _ -> new HashMap<>()).put(to.deviceId(), Map.of(TAG, tag));
        targets.add(to.name());
    }

    private void addAll(Device to, String tag, Map<String, Map<String, Object>> messages, Set<String> targets) {
        messages.computeIfAbsent(to.userId(), _ -> new HashMap<>()).put(ALL, Map.of(TAG, tag));
        all.stream()
                .filter(device -> device.userId().equals(to.userId()))
                .forEach(device -> targets.add(device.name()));
    }
}
