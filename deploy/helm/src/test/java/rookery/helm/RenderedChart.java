// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The chart and a cluster to render it for, once for a class of tests. */
final class RenderedChart implements BeforeAllCallback, AfterAllCallback {
    static final Path FOLDER = Path.of("rookery");

    /** The required values of an installation with external PostgreSQL, Kafka and Redis. */
    static final String PRODUCTION = """
            tenants: [{id: 1, serverName: chat.example, hosts: [chat.example, 192.0.2.1, www.chat.example]}]
            postgresql: {host: postgresql.example, admin: {existingSecret: pg, existingSecretKey: admin}}
            kafka: {bootstrapServers: "k1.example:9094,k2.example:9094", existingSecret: kafka-logins}
            redis: {host: redis.example, password: "a/b", username: rookery, tls: true}
            """;

    /** Helm reads the cluster's address from a single file, so test classes that render run one after the other. */
    static final String KUBECONFIG = "target/kubeconfig";

    private final List<AutoCloseable> open = new ArrayList<>();
    private Chart chart;
    private Cluster cluster;

    @SuppressWarnings("NullAway.Init") // by beforeAll
    RenderedChart() {}

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        cluster = Cluster.start(Path.of(KUBECONFIG));
        open.add(cluster);
        chart = Chart.in(FOLDER, Files.createTempDirectory(Path.of("target"), "rendered"));
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        for (var each : open) {
            each.close();
        }
    }

    Chart chart() {
        return chart;
    }

    Cluster cluster() {
        return cluster;
    }

    static Manifest one(List<Manifest> rendered, String kind, String name) {
        return rendered.stream()
                .filter(manifest ->
                        manifest.kind().equals(kind) && manifest.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no %s %s".formatted(kind, name)));
    }

    static String tryOut() throws IOException {
        return Files.readString(FOLDER.resolve("values-try.yaml"));
    }
}
