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

/** Asks the instances whether they can do their work. */
final class Readiness {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int NONE = 0;
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** An IPv6 address has no others of this machine beside it to ask from: our questions count with those of its users. */
    private static final Duration COUNTED_PAUSE = Duration.ofSeconds(2);

    private final Consumer<Placement> ready;
    private final ServiceCredential credential;
    private final AtomicInteger questions = new AtomicInteger();

    /** @param ready is told of each instance that is waited for when it is ready */
    Readiness(Installation installation, Consumer<Placement> ready) {
        this.ready = ready;
        this.credential = installation.operatorCredential();
    }

    /**
     * Returns when every instance is ready and the gateways say so to the public.
     *
     * @param check is called all the time, and throws when waiting has become pointless
     */
    void await(List<Placement> places, Runnable check) {
        var gateways = new ArrayList<>(places);
        gateways.removeIf(place -> place.service() != Service.GATEWAY);
        var services = new ArrayList<>(places);
        services.removeAll(gateways);
        await(services, check, Deadline.in(PATIENCE));
        await(gateways, check, Deadline.in(PATIENCE));
    }

    /** Whether it is ready now. */
    boolean isReady(Placement place) {
        return ask(place).status() == OK;
    }

    /** Whether it answers at all, ready or not. */
    boolean answers(Placement place) {
        return ask(place).status() != NONE;
    }

    /** For how long to wait between two questions to it. */
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

    /** One is asked each time that is not ready, and the others in turn: all must be, and each is told of as soon as it is. */
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

    private Answer ask(Placement place) {
        var path = place.service() == Service.GATEWAY ? "/_api/client/health/ready" : "/internal/ready";
        var request = HttpRequest.newBuilder(URI.create("http://" + place.address() + path))
                .timeout(ANSWER);
        if (place.service() != Service.GATEWAY) {
            request.header(
                    ServiceCredential.HEADER, credential.sign(place.service().title(), HttpMethod.GET, path));
        }
        try (var client = client(place)) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            return new Answer(answer.statusCode(), "%d %s".formatted(answer.statusCode(), answer.body()));
        } catch (IOException e) {
            return new Answer(NONE, Causes.rootMessage(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Complaint.failure("interrupted while waiting for " + place.name());
        }
    }

    /** The gateway counts requests by address: ours come from ever other ones of the IPv4 loopback, none that people use. */
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

    private record Answer(int status, String text) {}
}
