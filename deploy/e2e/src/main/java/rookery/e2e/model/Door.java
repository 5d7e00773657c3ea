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
import rookery.e2e.api.Http;
import rookery.e2e.api.Site;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.model.caller.Caller;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.InternalProperties;
import tools.jackson.databind.json.JsonMapper;

/** Leads past the gateway to the very instance that was chosen, with the signature that the gateway would give. */
final class Door implements AutoCloseable {
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

    /** @param extra sync nodes that are not listed, such as one that is spoilt on purpose: beside them one listed is asked */
    Door(Rookery rookery, List<Instance> extra) {
        this.rookery = rookery;
        this.signature = new CallerSignature(new InternalProperties(rookery.internalKey()), Clock.systemUTC());
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
        return switch (service) {
            case SYNC -> syncNodes.size();
            case ROOM -> roomNodes.size();
            default -> 1;
        };
    }

    private @Nullable Instance instance(String service, int node) {
        var name = switch (service) {
            case SYNC -> syncNodes.get(node % syncNodes.size());
            case ROOM -> roomNodes.get(node % roomNodes.size());
            default -> service + "-1";
        };
        for (var spoilt : extra) {
            if (spoilt.name().equals(name)) {
                return spoilt;
            }
        }
        return rookery.instance(name);
    }

    /** Asks one instance; a reply without status when there was no answer. */
    Reply call(Person who, String service, int node, String method, String path, @Nullable Map<String, ?> body) {
        var instance = instance(service, node);
        if (instance == null) {
            return Reply.lost();
        }
        try {
            var response = client.send(request(who, instance, method, path, body), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body(), System.nanoTime());
        } catch (IOException _) {
            return Reply.lost();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Reply.lost();
        }
    }

    /** Asks, and hangs up after so many bytes of the answer. */
    void hangUp(Person who, String service, int node, String path, int afterBytes) {
        var instance = instance(service, node);
        if (instance == null) {
            return;
        }
        try {
            var response = client.send(request(who, instance, "GET", path, null), BodyHandlers.ofInputStream());
            try (var answer = response.body()) {
                answer.readNBytes(afterBytes);
            }
        } catch (IOException _) {
            // it was to end early anyway
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest request(
            Person who, Instance instance, String method, String path, @Nullable Map<String, ?> body) {
        var caller = new Caller(
                who.tenant(),
                who.server(),
                new Caller.Known(who.user(), who.device(), false),
                "127.0.0.1",
                "model",
                Clock.systemUTC().instant().plus(VALID));
        var publisher =
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
        return HttpRequest.newBuilder(URI.create("http://" + instance.address() + Site.NATIVE + path))
                .timeout(PATIENCE)
                .setHeader(CallerSignature.HEADER, signature.sign(caller))
                .setHeader("Content-Type", "application/json")
                .method(method, publisher)
                .build();
    }

    /** Ends requests that still run. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
