// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import rookery.e2e.api.Session;
import rookery.e2e.load.Attempts;
import rookery.e2e.running.Databases;
import rookery.e2e.todevice.MessageReader.ReadingStyle;
import rookery.embedded.Deadline;

/**
 * Devices of several tenants that send each other messages at a steady rate and sync in different styles. The run ends when every
 * device has received all messages, or after the patience.
 */
public final class MessageTraffic {
    /**
     * The amount of load.
     *
     * @param perSecond messages of all devices together
     * @param longestAway the longest pause of devices that pause
     * @param patience for the acceptance of a message, and for delivery and deletion at the end
     */
    public record Amount(double perSecond, Duration length, Duration longestAway, Duration patience) {}

    /** The styles in turn; the first device receives the most messages. */
    private static final List<ReadingStyle> HABITS =
            List.of(ReadingStyle.AWAY, ReadingStyle.STEADY, ReadingStyle.LOSING, ReadingStyle.ANEW);

    private static final Duration TELL_EVERY = Duration.ofSeconds(10);

    private final Databases databases;
    private final List<List<Device>> circles = new ArrayList<>();
    private final Amount amount;
    private final DeliveryRecorder recorder = new DeliveryRecorder();
    private final List<MessageReader> readers = new ArrayList<>();

    private MessageTraffic(Databases databases, List<List<Session>> circles, Amount amount) {
        this.databases = databases;
        circles.forEach(
                sessions -> this.circles.add(sessions.stream().map(Device::new).toList()));
        this.amount = amount;
    }

    /**
     * Runs the load. Returns its result.
     *
     * @param circles all devices of each tenant's users
     * @param meanwhile runs concurrently and may kill processes; devices send at least until its end
     * @param progress receives a line now and then
     */
    public static DeliveryReport hold(
            Databases databases,
            List<List<Session>> circles,
            Amount amount,
            Runnable meanwhile,
            Consumer<String> progress)
            throws IOException {
        return new MessageTraffic(databases, circles, amount).hold(meanwhile, progress);
    }

    private DeliveryReport hold(Runnable meanwhile, Consumer<String> progress) throws IOException {
        makeReaders();
        var stored = StoredMessages.begin(databases);
        long begunNanos = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = new ArrayList<Future<?>>();
            readers.forEach(reader -> reading.add(threads.submit(reader)));
            var disturbance = threads.submit(meanwhile);
            BooleanSupplier isOver = () -> disturbance.isDone()
                    && System.nanoTime() - begunNanos > amount.length().toNanos();
            var sending = new ArrayList<Future<?>>();
            senders(isOver).forEach(sender -> sending.add(threads.submit(sender)));
            for (var one : sending) {
                awaitEnd(one, progress);
            }
            var sentIn = Duration.ofNanos(System.nanoTime() - begunNanos);
            Deadline.in(amount.patience()).until(Duration.ofMillis(100), recorder::isAllDelivered);
            readers.forEach(MessageReader::stop);
            for (var one : reading) {
                one.get();
            }
            disturbance.get();
            drain();
            return new DeliveryReport(
                    recorder.history(stored.end()), recorder.troubles(), recorder.failedAttempts(), sentIn);
        } catch (ExecutionException e) {
            throw new IOException("the disturbance failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void awaitEnd(Future<?> sender, Consumer<String> progress) throws InterruptedException, ExecutionException {
        while (true) {
            try {
                sender.get(TELL_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException _) {
                progress.accept(recorder.progress());
            }
        }
    }

    private void makeReaders() throws IOException {
        for (var devices : circles) {
            for (int i = 0; i < devices.size(); i++) {
                var habit = HABITS.get(i % HABITS.size());
                readers.add(new MessageReader(devices.get(i), habit, recorder, amount.longestAway()));
            }
        }
    }

    private List<MessageSender> senders(BooleanSupplier isOver) {
        int number = circles.stream().mapToInt(List::size).sum();
        var pause = Duration.ofNanos((long) (number * 1e9 / amount.perSecond()));
        var attempts = new Attempts(amount.patience(), recorder::trouble);
        var senders = new ArrayList<MessageSender>();
        for (var devices : circles) {
            devices.forEach(
                    device -> senders.add(new MessageSender(device, devices, recorder, attempts, pause, isOver)));
        }
        return senders;
    }

    private void drain() {
        for (var reader : readers) {
            if (!reader.isAtItsEnd(amount.patience())) {
                recorder.trouble("%s receives messages without end".formatted(reader));
            }
        }
        for (var reader : readers) {
            if (!reader.isDrained(amount.patience())) {
                recorder.trouble("%s still receives acknowledged messages in an initial sync".formatted(reader));
            }
        }
    }
}
