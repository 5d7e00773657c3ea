// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline;
import org.springframework.core.metrics.StartupStep;

/** The parts of a start with their begin and end: log lines that show which part makes a start slow. */
final class Timeline {
    /** Shorter steps of a Spring context are left out. */
    private static final Duration NOTABLE = Duration.ofMillis(100);

    /** The longest steps of each context; on a busy machine hundreds take as long as the shortest notable one. */
    private static final int STEPS_LOGGED_MAX = 12;

    /** More steps than a service has beans. */
    private static final int STEPS_MAX = 5_000;

    private final Clock clock = Clock.systemUTC();
    private final Instant start;
    private final List<Part> parts = new ArrayList<>();

    /** @param start the time that the log lines count from */
    Timeline(Instant start) {
        this.start = start;
    }

    /** A timeline that counts from the start of this JVM. */
    static Timeline ofThisProcess() {
        return new Timeline(ProcessHandle.current().info().startInstant().orElseGet(Clock.systemUTC()::instant));
    }

    /** Runs a part of the start. */
    <T> T during(String part, Supplier<T> work) {
        var begin = clock.instant();
        try {
            return work.get();
        } finally {
            add(new Part(part, begin, clock.instant()));
        }
    }

    void during(String part, Runnable work) {
        during(part, () -> {
            work.run();
            return true;
        });
    }

    /** Notes the steps of one Spring context. */
    static BufferingApplicationStartup steps() {
        return new BufferingApplicationStartup(STEPS_MAX);
    }

    /** Adds the longest steps that a Spring context took. */
    void add(String service, BufferingApplicationStartup steps) {
        steps.getBufferedTimeline().getEvents().stream()
                .filter(step -> step.getDuration().compareTo(NOTABLE) >= 0)
                .sorted(Comparator.comparing(StartupTimeline.TimelineEvent::getDuration)
                        .reversed())
                .limit(STEPS_LOGGED_MAX)
                .map(step ->
                        new Part(service + " " + name(step.getStartupStep()), step.getStartTime(), step.getEndTime()))
                .forEach(this::add);
    }

    /** Logs all parts in the order of their begins. A static logger would exist before the log file is configured. */
    void log() {
        var log = LoggerFactory.getLogger(Timeline.class);
        for (var part : sorted()) {
            log.atInfo()
                    .addKeyValue("from", seconds(part.begin))
                    .addKeyValue("to", seconds(part.end))
                    .addKeyValue("part", part.name)
                    .log("part of the start");
        }
    }

    synchronized List<Part> sorted() {
        return parts.stream().sorted(Comparator.comparing(Part::begin)).toList();
    }

    private synchronized void add(Part part) {
        parts.add(part);
    }

    private String seconds(Instant moment) {
        return String.format(
                Locale.ROOT, "%.2f", Duration.between(start, moment).toMillis() / 1e3);
    }

    private static String name(StartupStep step) {
        var name = new StringBuilder(step.getName());
        step.getTags().forEach(tag -> name.append(' ').append(tag.getValue()));
        return name.toString();
    }

    record Part(String name, Instant begin, Instant end) {}
}
