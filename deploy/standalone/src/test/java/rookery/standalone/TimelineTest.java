// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline(Instant.EPOCH);

    @Test
    void partsAreInTheOrderOfTheirBegins() {
        timeline.during("outer", () -> timeline.during("inner", () -> {}));

        assertThat(timeline.sorted()).extracting(Timeline.Part::name).containsExactly("outer", "inner");
        assertThat(timeline.sorted()).allSatisfy(part -> assertThat(part.end()).isAfterOrEqualTo(part.begin()));
    }

    @Test
    void failedPartIsInTheTimeline() {
        assertThatThrownBy(() -> timeline.during("broken", () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");

        assertThat(timeline.sorted()).extracting(Timeline.Part::name).containsExactly("broken");
    }

    @Test
    void shortStepsOfAContextAreLeftOut() {
        var steps = Timeline.steps();
        steps.startRecording();
        steps.start("short").end();

        timeline.add("room-service", steps);

        assertThat(timeline.sorted()).isEmpty();
    }
}
