package rookery.platform.instance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import rookery.model.id.Shards;

/**
 * The instances of every service, read again every second, and spread by rendezvous hash: an instance that comes or goes
 * moves only the keys that are its own. Rooms go by their shard ({@link ShardAssignment}), for what happens in one shard is
 * cheapest in one process.
 */
@Component
public class Instances implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Instances.class);
    private static final Pattern FILE = Pattern.compile("([a-z-]+)-(\\d+)");

    private final InstanceProperties properties;
    private final DnsInstances dns;
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("instances").daemon().factory());
    private volatile Map<String, List<Instance>> byService = Map.of();
    private volatile Map<String, ShardAssignment> assignments = Map.of();
    private volatile Set<String> askedLast = Set.of();
    private volatile Set<String> stopping = Set.of();
    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private Map<Path, ReadFile> files = Map.of();

    public Instances(InstanceProperties properties) {
        this.properties = properties;
        this.dns = new DnsInstances(properties.managementPort());
        read();
        var _ = reader.scheduleWithFixedDelay(this::read, 1, 1, TimeUnit.SECONDS);
    }

    /** The instances that run now, by name; empty when none does. */
    public List<Instance> of(String service) {
        return byService.getOrDefault(service, List.of());
    }

    /** All instances of all services. */
    public List<Instance> all() {
        return byService.values().stream().flatMap(List::stream).toList();
    }

    /** By service, the instances of those that this process has called and of which there are several. */
    public Map<String, List<Instance>> withAlternatives() {
        var several = new HashMap<>(byService);
        several.entrySet().removeIf(each -> each.getValue().size() < 2 || !called.contains(each.getKey()));
        return several;
    }

    /** From now on, instances at these addresses rank behind all others of their service, and have no shards. */
    public void askLast(Set<String> addresses) {
        if (!addresses.equals(askedLast)) {
            askedLast = addresses;
            assign();
        }
    }

    /** From now on, instances at these addresses are known to be stopping: they said so themselves. */
    public void areStopping(Set<String> addresses) {
        stopping = addresses;
    }

    /** Whether the instance is known to be stopping, or is not among those of its service any more. */
    public boolean isStopping(String service, Instance instance) {
        return stopping.contains(instance.address()) || !of(service).contains(instance);
    }

    /**
     * All instances of the service, the key's own first, then the one it would move to, and so on.
     *
     * @param key a room's id, whose own is the instance that has the room's shard, or anything else
     */
    public List<Instance> ranked(String service, String key) {
        var all = of(service);
        if (all.size() < 2) {
            return all;
        }
        call(service);
        var last = askedLast;
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
     * The shards of a log that the instance works on, among all of its service that are ready: every shard is some instance's.
     *
     * @param own which instance it is; all shards if it is none of those that are known
     */
    public Set<Integer> shardsOf(Predicate<Instance> own) {
        for (var service : byService.entrySet()) {
            var found = service.getValue().stream().filter(own).findFirst();
            if (found.isPresent()) {
                call(service.getKey()); // so that one that is ready no more is noticed
                var assignment = assignments.get(service.getKey());
                var shards = assignment == null
                        ? Shards.ALL
                        : assignment.shardsOf(found.get().name());
                return shards.isEmpty() ? Shards.ALL : shards; // not ready itself, and yet it runs
            }
        }
        return Shards.ALL;
    }

    private void call(String service) {
        if (!called.contains(service)) { // a look is cheaper than a write where all threads come by
            called.add(service);
        }
    }

    private void assign() {
        var last = askedLast;
        var assigned = new HashMap<String, ShardAssignment>();
        byService.forEach((service, all) -> {
            var ready = all.stream()
                    .filter(instance -> !last.contains(instance.address()))
                    .toList();
            assigned.put(service, ShardAssignment.among(ready.isEmpty() ? all : ready));
        });
        assignments = assigned;
    }

    private void read() {
        try {
            var found = new HashMap<String, List<Instance>>();
            properties.addresses().forEach((service, addresses) -> {
                for (int i = 0; i < addresses.size(); i++) {
                    add(
                            found,
                            service,
                            new Instance(service + "-" + (i + 1), addresses.get(i), management(addresses.get(i))));
                }
            });
            properties
                    .names()
                    .forEach((service, name) ->
                            dns.find(service, name).forEach(instance -> add(found, service, instance)));
            if (properties.folder() != null) {
                readFolder(Path.of(properties.folder()), found);
            }
            if (!found.equals(byService)) {
                byService = found;
                assign();
            }
        } catch (IOException | RuntimeException e) {
            log.atWarn().setCause(e).log("instances cannot be read, the last ones known stay");
        }
    }

    private void readFolder(Path folder, Map<String, List<Instance>> found) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        var paths = new ArrayList<Path>();
        try (var listed = Files.list(folder)) {
            listed.sorted().forEach(paths::add);
        }
        var before = files;
        files = new HashMap<>();
        for (var path : paths) {
            var name = FILE.matcher(path.getFileName().toString());
            if (!name.matches()) {
                continue;
            }
            var file = ReadFile.of(path, before.get(path));
            if (file == null) {
                continue;
            }
            files.put(path, file);
            var text = file.text;
            String address = text.getProperty("address");
            if (address != null) {
                add(found, name.group(1), new Instance(name.group(), address, text.getProperty("management")));
            }
        }
    }

    private @Nullable String management(String address) {
        var port = properties.managementPort();
        return port == null ? null : address.substring(0, address.lastIndexOf(':') + 1) + port;
    }

    private static void add(Map<String, List<Instance>> found, String service, Instance instance) {
        found.computeIfAbsent(service, _ -> new ArrayList<>()).add(instance);
    }

    @Override
    public void destroy() {
        reader.shutdownNow();
    }

    /** What a file said when it was of this time and, since files are replaced whole, of this identity. */
    private record ReadFile(FileTime modified, @Nullable Object key, Properties text) {
        /** Read again only if it is another one than before; null if it is gone. */
        static @Nullable ReadFile of(Path path, @Nullable ReadFile before) {
            try {
                var attributes = Files.readAttributes(path, BasicFileAttributes.class);
                if (before != null
                        && before.modified.equals(attributes.lastModifiedTime())
                        && Objects.equals(before.key, attributes.fileKey())) {
                    return before;
                }
                var text = new Properties();
                try (var in = Files.newBufferedReader(path)) {
                    text.load(in);
                }
                return new ReadFile(attributes.lastModifiedTime(), attributes.fileKey(), text);
            } catch (IOException _) {
                return null; // gone between listing and reading
            }
        }
    }
}
