// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The flows of an operation; the stages of a flow may be completed in any order.
 *
 * @param stages the flows in the challenge
 * @param unlisted further accepted flows that the challenge does not list
 */
public record Flows(List<List<String>> stages, List<List<String>> unlisted) {
    public static final Flows DUMMY = new Flows(List.of(List.of(Stage.DUMMY)));
    /** For operations of a logged-in user. */
    public static final Flows PASSWORD = new Flows(List.of(List.of(Stage.PASSWORD)));

    public Flows {
        stages = List.copyOf(stages);
        unlisted = List.copyOf(unlisted);
    }

    public Flows(List<List<String>> stages) {
        this(stages, List.of());
    }

    boolean isComplete(Set<String> completed) {
        return all().anyMatch(completed::containsAll);
    }

    /** True if the stage belongs to a flow that contains all completed stages. */
    boolean leadsOn(Collection<String> completed, String stage) {
        return all().anyMatch(flow -> flow.contains(stage) && flow.containsAll(completed));
    }

    /** The stages of the listed flows. */
    Set<String> types() {
        var types = new LinkedHashSet<String>();
        stages.forEach(types::addAll);
        return types;
    }

    private Stream<List<String>> all() {
        return Stream.concat(stages.stream(), unlisted.stream());
    }
}
