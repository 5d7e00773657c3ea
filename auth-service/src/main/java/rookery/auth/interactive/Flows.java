package rookery.auth.interactive;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The ways to authenticate an operation; each is a list of stages, passed in any order.
 *
 * @param stages the ways that clients are told of
 * @param unlisted further ways, for who knows of them
 */
public record Flows(List<List<String>> stages, List<List<String>> unlisted) {
    public static final Flows DUMMY = new Flows(List.of(List.of(Stage.DUMMY)));
    /** Of an operation that somebody who is logged in asks for. */
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

    /** Whether the stage is of a flow that can still be finished after what was completed. */
    boolean leadsOn(Collection<String> completed, String stage) {
        return all().anyMatch(flow -> flow.contains(stage) && flow.containsAll(completed));
    }

    /** The stages that clients are told of. */
    Set<String> types() {
        var types = new LinkedHashSet<String>();
        stages.forEach(types::addAll);
        return types;
    }

    private Stream<List<String>> all() {
        return Stream.concat(stages.stream(), unlisted.stream());
    }
}
