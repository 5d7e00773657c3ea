package rookery.platform.instance;

import java.util.Set;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * The shards that this instance follows for its service, now: its own among the instances that are ready. Another one's come to it
 * within seconds after that one is gone or ready no more.
 */
@Component
public final class OwnShards implements Supplier<Set<Integer>> {
    private final Instances instances;
    private final String name;

    OwnShards(Instances instances, OwnInstanceProperties own) {
        this.instances = instances;
        this.name = own.name();
    }

    @Override
    public Set<Integer> get() {
        return instances.shardsOf(name);
    }
}
