// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.http.HttpMethod;
import rookery.embedded.Deadline;
import rookery.platform.http.ServiceCredential;
import rookery.program.Complaint;

/** Queries the instances for their readiness. */
final class Readiness {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NONE = 0;
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** An IPv6 loopback has a single address, so these requests count against the rate limit of its users. */
    private static final Duration COUNTED_PAUSE = Duration.ofSeconds(2);

    private final Consumer<Placement> ready;
    private final ServiceCredential credential;
    private final AtomicInteger questions = new AtomicInteger();

    /** @param ready called with each awaited instance as soon as the instance is ready */
    Readiness(Installation installation, Consumer<Placement> ready) {
        this.ready = ready;
        this.credential = installation.operatorCredential();
    }

    /**
     * Returns when every instance is ready and the gateways report ready to the public.
     *
     * @param check called before each query; throws when further waiting is pointless
     */
    void await(List<Placement> places, Runnable check) {
        var gateways = new ArrayList<>(places);
        gateways.removeIf(place -> place.service() != Service.GATEWAY);
        var services = new ArrayList<>(places);
        services.removeAll(gateways);
        await(services, check, Deadline.in(PATIENCE));
        await(gateways, check, Deadline.in(PATIENCE));
    }

    /** Whether the instance is ready. */
    boolean isReady(Placement place) {
        return ask(place).status() == OK;
    }

    /** Whether the instance answers, ready or not. */
    boolean answers(Placement place) {
        return ask(place).status() != NONE;
    }

    /** The pause between two queries of the instance. */
    static Duration pause(Placement place) {
        return place.isIpv6() ? COUNTED_PAUSE : PAUSE;
    }

    private void await(List<Placement> waiting, Runnable check, Deadline deadline) {
        boolean allReady = deadline.until(pause(waiting.getFirst()), () -> {
            check.run();
            return areReady(waiting);
        });
        if (!allReady) {
            var first = waiting.getFirst();
            throw Complaint.failure("%s did not become ready within %d s: %s"
                    .formatted(first.name(), PATIENCE.toSeconds(), ask(first).text()));
        }
    }

    /** Queries the instances in turn up to the first that is not ready, which moves to the end of the queue. */
    private boolean areReady(List<Placement> waiting) {
        while (!waiting.isEmpty()) {
            var place = waiting.removeFirst();
            if (!isReady(place)) {
                waiting.addLast(place);
                return false;
            }
            ready.accept(place);
        }
        return true;
    }

    private ReadinessAnswer ask(Placement place) {
        var path = place.service() == Service.GATEWAY ? "/_api/client/health/ready" : "/internal/ready";
        var request = HttpRequest.newBuilder(URI.create("http://" + place.address() + path))
                .timeout(ANSWER);
        if (place.service() != Service.GATEWAY) {
            request.header(
                    ServiceCredential.HEADER, credential.sign(place.service().title(), HttpMethod.GET, path));
        }
        try (var client = client(place)) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            return new ReadinessAnswer(answer.statusCode(), "%d %s".formatted(answer.statusCode(), answer.body()));
        } catch (IOException e) {
            return new ReadinessAnswer(NONE, Causes.rootMessage(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted while waiting for " + place.name());
        }
    }

    /**
     * A client with changing source addresses of the IPv4 loopback that no user has, because the gateway limits requests
     * by address.
     */
    private HttpClient client(Placement place) throws UnknownHostException {
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER);
        if (!place.isIpv6()) {
            int question = questions.incrementAndGet();
            byte[] address = {127, 1, (byte) (question >> 7 & 0x7f), (byte) (1 + (question & 0x7f))};
            builder.localAddress(InetAddress.getByAddress(address));
        }
        return builder.build();
    }

    private record ReadinessAnswer(int status, String text) {}
}
