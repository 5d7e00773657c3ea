// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import com.google.gson.Gson;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The part of the Kubernetes API that the chart queries while Helm renders it: the Secrets. */
final class Cluster implements AutoCloseable {
    private static final Gson JSON = new Gson();
    private static final Map<String, ?> RESOURCES = Map.of(
            "kind",
            "APIResourceList",
            "apiVersion",
            "v1",
            "groupVersion",
            "v1",
            "resources",
            List.of(Map.of("name", "secrets", "namespaced", true, "kind", "Secret", "verbs", List.of("get"))));
    private static final Map<String, ?> NOT_FOUND =
            Map.of("kind", "Status", "apiVersion", "v1", "status", "Failure", "reason", "NotFound", "code", 404);

    private final HttpServer server;
    private final Map<String, Object> objects = new ConcurrentHashMap<>();

    private Cluster(HttpServer server) {
        this.server = server;
    }

    /** @param kubeconfig the file to write, with the address of this API */
    static Cluster start(Path kubeconfig) throws IOException {
        var cluster = new Cluster(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        cluster.server.createContext("/", cluster::answer);
        cluster.server.start();
        Files.writeString(kubeconfig, """
                apiVersion: v1
                kind: Config
                clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: here, context: {cluster: here, user: ""}}]
                current-context: here
                """.formatted(cluster.server.getAddress().getPort()));
        return cluster;
    }

    void putSecret(String namespace, Map<String, Object> secret) {
        var name = Manifest.map(secret, "metadata").get("name");
        objects.put("/api/v1/namespaces/%s/secrets/%s".formatted(namespace, name), secret);
    }

    void clear() {
        objects.clear();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var object = path.equals("/api/v1") ? RESOURCES : objects.get(path);
        var body = JSON.toJson(object == null ? NOT_FOUND : object).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(object == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
