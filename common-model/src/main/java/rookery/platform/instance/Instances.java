// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;

/**
 * The instances of every service, refreshed every second. Keys are distributed by rendezvous hash, so that a new or removed
 * instance moves only its own keys. Rooms are distributed by shard ({@link ShardAssignment}), because the work of one shard is
 * cheapest in one process.
 */
@Component
public class Instances implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Instances.class);
    /** Services that share a process share the thread, and the reading of their folder. */
    private static final ScheduledExecutorService READER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("instances").daemon().factory());

    private final InstanceProperties properties;
    private final DnsInstances dns;
    private final Future<?> reading;
    private volatile Map<String, List<Instance>> byService = Map.of();
    private volatile Map<String, ShardAssignment> assignments = Map.of();
    private volatile Set<String> rankedLast = Set.of();
    private volatile Set<String> stopping = Set.of();
    private final Set<String> called = ConcurrentHashMap.newKeySet();

    public Instances(InstanceProperties properties) {
        this.properties = properties;
        this.dns = new DnsInstances(properties.managementPort());
        read(true);
        long second = TimeUnit.SECONDS.toNanos(1); // all services of a process read together
        this.reading = READER.scheduleAtFixedRate(
                () -> read(false), second - Math.floorMod(System.nanoTime(), second), second, TimeUnit.NANOSECONDS);
    }

    /** The known instances of a service, by name; possibly empty. */
    public List<Instance> of(String service) {
        return byService.getOrDefault(service, List.of());
    }

    /** All instances of all services. */
    public List<Instance> all() {
        return byService.values().stream().flatMap(List::stream).toList();
    }

    /** The instances of services that this process has called and that have several instances. */
    public Map<String, List<Instance>> withAlternatives() {
        var several = new HashMap<>(byService);
        several.entrySet().removeIf(each -> each.getValue().size() < 2 || !called.contains(each.getKey()));
        return several;
    }

    /** Ranks the instances at these addresses behind all others of their service, and takes their shards away. */
    public void rankLast(Set<String> addresses) {
        if (!addresses.equals(rankedLast)) {
            rankedLast = addresses;
            assign();
        }
    }

    /** Marks the instances at these addresses as stopping, as they have announced. */
    public void areStopping(Set<String> addresses) {
        stopping = addresses;
    }

    /** Whether the instance is stopping, or is no longer known. */
    public boolean isStopping(String service, Instance instance) {
        return stopping.contains(instance.address()) || !of(service).contains(instance);
    }

    /**
     * All instances of the service by rank: the key's own instance first, then the instance that would take over, and so on.
     *
     * @param key a room id, which belongs to the instance with the room's shard, or any other key
     */
    public List<Instance> ranked(String service, String key) {
        var all = of(service);
        if (all.size() < 2) {
            return all;
        }
        call(service);
        var last = rankedLast;
        var assignment = key.startsWith("!") ? assignments.get(service) : null;
        var own = assignment == null ? null : assignment.of(Shards.of(key));
        return all.stream()
                .sorted(Comparator.comparing((Instance instance) -> last.contains(instance.address()))
                        .thenComparing(instance -> !instance.equals(own))
                        .thenComparing(
                                Comparator.comparingLong((Instance instance) -> ShardAssignment.weight(instance, key))
                                        .reversed()))
                .toList();
    }

    /**
     * The shards of the log for which an instance is responsible, among the ready instances of its service; every shard belongs
     * to an instance.
     *
     * @param own selects the instance; all shards if none matches
     */
    public Set<Integer> shardsOf(Predicate<Instance> own) {
        for (var service : byService.entrySet()) {
            var self = service.getValue().stream().filter(own).findFirst();
            if (self.isPresent()) {
                call(service.getKey()); // starts the readiness checks of this service
                var assignment = assignments.get(service.getKey());
                var shards = assignment == null
                        ? Shards.ALL
                        : assignment.shardsOf(self.get().name());
                return shards.isEmpty() ? Shards.ALL : shards; // the instance is unready and nevertheless running
            }
        }
        return Shards.ALL;
    }

    private void call(String service) {
        if (!called.contains(service)) { // reading is cheaper than writing where all threads pass
            called.add(service);
        }
    }

    private void assign() {
        var last = rankedLast;
        var assigned = new HashMap<String, ShardAssignment>();
        byService.forEach((service, all) -> {
            var ready = all.stream()
                    .filter(instance -> !last.contains(instance.address()))
                    .toList();
            assigned.put(service, ShardAssignment.among(ready.isEmpty() ? all : ready));
        });
        assignments = assigned;
    }

    private void read(boolean isStart) {
        try {
            var read = new HashMap<String, List<Instance>>();
            properties.addresses().forEach((service, addresses) -> {
                for (int i = 0; i < addresses.size(); i++) {
                    add(
                            read,
                            service,
                            new Instance(service + "-" + (i + 1), addresses.get(i), management(addresses.get(i))));
                }
            });
            properties
                    .names()
                    .forEach((service, name) ->
                            dns.find(service, name).forEach(instance -> add(read, service, instance)));
            if (properties.folder() != null) {
                var folder = InstanceFolder.shared(Path.of(properties.folder()));
                (isStart ? folder.readNow() : folder.read())
                        .forEach((service, instances) -> instances.forEach(instance -> add(read, service, instance)));
            }
            if (!read.equals(byService)) {
                byService = read;
                assign();
            }
        } catch (IOException | RuntimeException e) {
            log.atWarn().setCause(e).log("instances cannot be read; the last known instances stay");
        }
    }

    private @Nullable String management(String address) {
        var port = properties.managementPort();
        return port == null ? null : address.substring(0, address.lastIndexOf(':') + 1) + port;
    }

    private static void add(Map<String, List<Instance>> read, String service, Instance instance) {
        read.computeIfAbsent(service, _ -> new ArrayList<>()).add(instance);
    }

    @Override
    public void destroy() {
        reading.cancel(false);
    }
}
