// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;
import rookery.embedded.Ports;
import rookery.embedded.TestServers;
import rookery.standalone.LauncherForTests;

/**
 * The parameters of starting a Rookery.
 *
 * @param command of the launcher, without options
 * @param data the data folder
 * @param port the public port
 * @param cluster such as {@code room=2,sync=2}, or null for one JVM
 * @param tenants names of tenants besides {@code localhost}
 * @param maxRequests requests per minute of one address
 * @param instanceFlags for the JVMs of a cluster and of Kafka; a {@code -D} flag is also configuration of all services
 */
public record Plan(
        List<String> command,
        Path data,
        int port,
        @Nullable String cluster,
        List<String> tenants,
        int maxRequests,
        List<String> instanceFlags) {
    /** A limit that no test reaches. */
    public static final int UNLIMITED = 1_000_000_000;

    /** A system property with a folder for the data of tests. */
    private static final String KEPT = "rookery.e2e.kept";

    /** The gateways of a cluster listen on consecutive ports. */
    private static final int GATEWAYS_MAX = 4;

    public Plan {
        command = List.copyOf(command);
        tenants = List.copyOf(tenants);
        instanceFlags = List.copyOf(instanceFlags);
    }

    /** For tests: the launcher with flags for short-lived JVMs, in a folder below {@code target}. */
    public static Plan quick(String name) {
        LauncherForTests.awaitRecordedStart();
        return new Plan(
                LauncherForTests.command(),
                folder(name),
                Ports.free(GATEWAYS_MAX),
                null,
                List.of(),
                UNLIMITED,
                List.of());
    }

    /** A folder that is deleted with the JVM, unless a property names a folder to keep. */
    private static Path folder(String name) {
        var parent = System.getProperty(KEPT);
        if (parent == null) {
            return TestServers.folder(name);
        }
        var folder = Path.of(parent, name).toAbsolutePath();
        Folders.delete(folder);
        return Folders.make(folder);
    }

    /** The launcher as operators start it: {@code deploy/run}. */
    public static Plan of(Path script, Path data) {
        return new Plan(
                List.of(script.toAbsolutePath().toString()),
                data,
                Ports.free(GATEWAYS_MAX),
                null,
                List.of(),
                UNLIMITED,
                List.of());
    }

    public Plan cluster(String instances) {
        return new Plan(command, data, port, instances, tenants, maxRequests, instanceFlags);
    }

    public Plan tenants(String... names) {
        return new Plan(command, data, port, cluster, List.of(names), maxRequests, instanceFlags);
    }

    /** Adds flags for the JVMs, such as {@code -Drookery.auth.registration.mode=closed}. */
    public Plan with(String... flags) {
        var all = new ArrayList<>(instanceFlags);
        all.addAll(List.of(flags));
        return new Plan(command, data, port, cluster, tenants, maxRequests, all);
    }

    public Plan maxRequests(int number) {
        return new Plan(command, data, port, cluster, tenants, number, instanceFlags);
    }

    List<String> words() {
        var words = new ArrayList<>(command);
        words.add("--data=" + data);
        words.add("--port=" + port);
        words.add("--max-requests=" + maxRequests);
        tenants.forEach(tenant -> words.add("--tenant=" + tenant));
        if (cluster != null) {
            words.add("--cluster=" + cluster);
        }
        return words;
    }
}
