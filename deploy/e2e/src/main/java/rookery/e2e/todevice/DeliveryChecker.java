// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import rookery.e2e.todevice.DeliveryViolation.Doubled;
import rookery.e2e.todevice.DeliveryViolation.Foreign;
import rookery.e2e.todevice.DeliveryViolation.Lost;
import rookery.e2e.todevice.DeliveryViolation.Multiplied;
import rookery.e2e.todevice.DeliveryViolation.Reordered;
import rookery.e2e.todevice.DeliveryViolation.ToldAgain;
import rookery.e2e.todevice.DeliveryViolation.ToldAnew;

/**
 * Checks the sync responses of devices in their order. A message is delivered at least once until the device acknowledges
 * it, by a request whose {@code since} is the {@code next_batch} of a kept response, and never in that response or later.
 * Pure functions.
 */
final class DeliveryChecker {
    private final DeliveryHistory history;
    private final Map<String, SentMessage> sentByTag = new HashMap<>();
    private final List<DeliveryViolation> violations = new ArrayList<>();

    private DeliveryChecker(DeliveryHistory history) {
        this.history = history;
        history.sent().forEach(message -> sentByTag.put(message.tag(), message));
    }

    /** All violations in the history; empty when the promises are kept. */
    static List<DeliveryViolation> violations(DeliveryHistory history) {
        var checker = new DeliveryChecker(history);
        history.answers().forEach((device, answers) -> {
            checker.checkAnswers(device, answers);
            checker.checkAcknowledged(device, answers);
            checker.checkOrder(device, answers);
        });
        checker.checkComplete();
        checker.checkStored();
        return checker.violations;
    }

    private void checkAnswers(String device, List<SyncAnswer> answers) {
        for (var answer : answers) {
            var here = new HashSet<String>();
            for (var message : answer.messages()) {
                if (!here.add(message.tag())) {
                    violations.add(new Doubled(device, message.tag()));
                }
                var sent = sentByTag.get(message.tag());
                if (sent == null
                        || !sent.sender().equals(message.sender())
                        || !sent.targets().contains(device)) {
                    violations.add(new Foreign(device, message.sender(), message.tag()));
                }
            }
        }
    }

    private void checkAcknowledged(String device, List<SyncAnswer> answers) {
        var coveredBy = new HashMap<String, Set<String>>(); // the messages covered by each token
        var acknowledged = new HashSet<String>();
        for (var answer : answers) {
            if (answer.since() != null) {
                acknowledged.addAll(coveredBy.getOrDefault(answer.since(), Set.of()));
            }
            for (var message : answer.messages()) {
                if (acknowledged.contains(message.tag())) {
                    violations.add(
                            answer.since() == null
                                    ? new ToldAnew(device, message.tag())
                                    : new ToldAgain(device, message.tag(), answer.since()));
                }
            }
            if (answer.isKept()) {
                var covered = coveredBy.computeIfAbsent(answer.nextBatch(), _ -> new HashSet<>());
                answer.messages().forEach(message -> covered.add(message.tag()));
            }
        }
    }

    /** Checks the order of first deliveries. */
    private void checkOrder(String device, List<SyncAnswer> answers) {
        var newest = new HashMap<String, SentMessage>();
        for (var tag : received(answers)) {
            var sent = sentByTag.get(tag);
            if (sent == null) {
                continue;
            }
            var before = newest.get(sent.device());
            if (before == null || !sent.isBefore(before)) {
                newest.put(sent.device(), sent);
            } else {
                violations.add(new Reordered(device, sent.device(), before.tag(), tag));
            }
        }
    }

    /** The messages of kept responses, without repetitions. */
    private static Set<String> received(List<SyncAnswer> answers) {
        Set<String> received = new LinkedHashSet<>();
        for (var answer : answers) {
            if (answer.isKept()) {
                answer.messages().forEach(message -> received.add(message.tag()));
            }
        }
        return received;
    }

    private void checkComplete() {
        var receivedByDevice = new HashMap<String, Set<String>>();
        history.answers().forEach((device, answers) -> receivedByDevice.put(device, received(answers)));
        for (var sent : history.sent()) {
            for (var device : sent.targets()) {
                if (sent.isAccepted()
                        && !receivedByDevice.getOrDefault(device, Set.of()).contains(sent.tag())) {
                    violations.add(new Lost(device, sent.tag()));
                }
            }
        }
    }

    private void checkStored() {
        var positions = new LinkedHashMap<WrittenMessage, List<Long>>();
        for (var stored : history.stored()) {
            positions
                    .computeIfAbsent(new WrittenMessage(stored.device(), stored.tag()), _ -> new ArrayList<>())
                    .add(stored.pos());
        }
        positions.forEach((written, all) -> {
            if (all.size() > 1) {
                violations.add(new Multiplied(written.device, written.tag, all));
            }
        });
    }

    private record WrittenMessage(String device, String tag) {}

    /** The number of repeated deliveries before the acknowledgement, which are necessary after lost responses. */
    static int repeated(DeliveryHistory history) {
        int repeated = 0;
        for (var answers : history.answers().values()) {
            var times = new HashMap<String, Integer>();
            for (var answer : answers) {
                for (var message : answer.messages()) {
                    repeated += Objects.requireNonNull(times.merge(message.tag(), 1, Integer::sum)) > 1 ? 1 : 0;
                }
            }
        }
        return repeated;
    }
}
