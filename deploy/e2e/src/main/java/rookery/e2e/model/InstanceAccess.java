// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.model.caller.Caller;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends requests directly to a chosen instance, with the signature that the gateway would add. With kills the gateway counts as
 * one more node of each service, so that its behaviour is checked as well.
 */
final class InstanceAccess implements AutoCloseable {
    static final String SYNC = "sync-service";
    static final String ROOM = "room-service";
    static final String AUTH = "auth-service";

    private static final Duration VALID = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Rookery rookery;
    private final List<String> syncNodes;
    private final List<String> roomNodes;
    private final CallerSignature signature;
    private final HttpClient client = Http.builder().build();
    private final List<Instance> extra;
    private final boolean throughGateway;

    /**
     * Creates the access to a running Rookery.
     *
     * @param extra unlisted sync nodes, such as a broken node; used together with one listed node
     * @param throughGateway whether the gateway is used as well
     */
    InstanceAccess(Rookery rookery, List<Instance> extra, boolean throughGateway) {
        this.rookery = rookery;
        this.throughGateway = throughGateway;
        this.signature =
                new CallerSignature(ServiceKeys.derived(ServiceName.GATEWAY, rookery.internalKey()), Clock.systemUTC());
        this.extra = List.copyOf(extra);
        this.roomNodes = named(ROOM);
        var listed = named(SYNC);
        this.syncNodes = new ArrayList<>(extra.isEmpty() ? listed : listed.subList(0, 1));
        extra.forEach(instance -> syncNodes.add(instance.name()));
    }

    private List<String> named(String service) {
        return rookery.instances().stream()
                .map(Instance::name)
                .filter(name -> name.startsWith(service + "-"))
                .sorted()
                .toList();
    }

    int count(String service) {
        return nodes(service).size() + (throughGateway ? 1 : 0);
    }

    private List<String> nodes(String service) {
        return switch (service) {
            case SYNC -> syncNodes;
            case ROOM -> roomNodes;
            default -> List.of(service + "-1");
        };
    }

    /** A request to the node with the necessary headers; null when the instance does not run. */
    private HttpRequest.@Nullable Builder to(Person person, String service, int node, String method, String path) {
        var nodes = nodes(service);
        if (node >= nodes.size() && person.token() != null) {
            var site = rookery.site(person.server().value());
            return HttpRequest.newBuilder(site.uri(path))
                    .setHeader("Host", site.host())
                    .setHeader("Authorization", "Bearer " + person.token());
        }
        var instance = instance(nodes.get(node % nodes.size()));
        if (instance == null) {
            return null;
        }
        var uri = URI.create("http://" + instance.address() + TenantAddress.NATIVE + path);
        var header = signature.sign(caller(person), service, HttpMethod.valueOf(method), uri.getRawPath());
        return HttpRequest.newBuilder(uri).setHeader(CallerSignature.HEADER, header);
    }

    private static Caller caller(Person person) {
        return new Caller(
                person.tenant(),
                person.server(),
                new Caller.Known(person.user(), person.device(), false),
                "127.0.0.1",
                "model",
                Clock.systemUTC().instant().plus(VALID));
    }

    private @Nullable Instance instance(String name) {
        for (var spoilt : extra) {
            if (spoilt.name().equals(name)) {
                return spoilt;
            }
        }
        return rookery.instance(name);
    }

    /** Sends a request to one instance. Returns a reply with status 0 without a response. */
    Reply call(Person person, String service, int node, String method, String path, @Nullable Map<String, ?> body) {
        var request = to(person, service, node, method, path);
        if (request == null) {
            return Reply.lost();
        }
        var publisher =
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
        request.timeout(PATIENCE).setHeader("Content-Type", "application/json").method(method, publisher);
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body(), System.nanoTime());
        } catch (IOException _) {
            return Reply.lost();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Reply.lost();
        }
    }

    /** Sends a request and closes the connection after a number of bytes of the response. */
    void hangUp(Person person, String service, int node, String path, int afterBytes) {
        var request = to(person, service, node, "GET", path);
        if (request == null) {
            return;
        }
        try {
            var response = client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofInputStream());
            try (var answer = response.body()) {
                answer.readNBytes(afterBytes);
            }
        } catch (IOException _) {
            // the connection was to be closed anyway
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Aborts open requests. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
