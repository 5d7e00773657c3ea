package rookery.auth.interactive;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The ways to authenticate an operation; each is a list of stages, passed in any order. */
public record Flows(List<List<String>> stages) {
    public static final Flows DUMMY = new Flows(List.of(List.of(Stages.DUMMY)));
    /** Of an operation that somebody who is logged in asks for. */
    public static final Flows PASSWORD = new Flows(List.of(List.of(Stages.PASSWORD)));

    public Flows {
        stages = List.copyOf(stages);
    }

    boolean isComplete(Set<String> completed) {
        return stages.stream().anyMatch(completed::containsAll);
    }

    /** Whether the stage is of a flow that can still be finished after what was completed. */
    boolean leadsOn(Collection<String> completed, String stage) {
        return stages.stream().anyMatch(flow -> flow.contains(stage) && flow.containsAll(completed));
    }
}
