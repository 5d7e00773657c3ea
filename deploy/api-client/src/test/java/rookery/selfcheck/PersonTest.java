// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;

/** A user's waits for new data while the rate limit refuses requests. The test moves the clock. */
class PersonTest {
    private static final String REFUSED = "{\"errcode\":\"M_LIMIT_EXCEEDED\",\"retry_after_ms\":59800}";
    private static final String BEHIND = "{\"errcode\":\"M_UNKNOWN\"}";
    private static final String NOTHING = "{\"next_batch\":\"s1\"}";
    private static final String NEWS = "{\"next_batch\":\"s2\",\"news\":true}";

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> lines = new ArrayList<>();
    private final PatientClock clock =
            new PatientClock(nanos::get, time -> nanos.addAndGet(time.toNanos()), lines::add);
    private HttpServer server;
    private Http http;
    private Person ada;
    private Function<Integer, String> answers = _ -> NOTHING;
    private int requests;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        http = Http.waiting(TenantAddress.at(url, TenantAddress.NATIVE), clock);
        ada = new Person("ada", "", Session.known(http, "@ada:localhost", "DEVICE", "token"), clock);
    }

    @AfterEach
    void stop() {
        http.close();
        server.stop(0);
    }

    @Test
    void whatHasRunOutWhileTheRateLimitWasWaitedForIsDoneAgain() throws IOException {
        var done = new ArrayList<Integer>();
        answers = request -> switch (request) {
            case 1, 3 -> REFUSED;
            case 5 -> NEWS;
            default -> NOTHING;
        };

        ada.waitFor("the news", sync -> sync.path("news").asBoolean(false), () -> done.add(requests));

        assertThat(done).containsExactly(2, 4);
        assertThat(lines).containsExactly("waiting 60 s for the rate limit", "waiting 60 s for the rate limit");
        assertThat(clock.nanos()).as("no time has passed for the server").isZero();
    }

    @Test
    void newsThatDoNotComeAreMissedAfterHalfAMinute() {
        answers = _ -> {
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            return NOTHING;
        };

        assertThatThrownBy(() -> ada.waitFor("the news", _ -> false))
                .isInstanceOf(UnmetException.class)
                .hasMessage("the news did not reach @ada:localhost within 30 s");
        assertThat(requests).isEqualTo(3);
    }

    @Test
    void aLimitWithoutEndIsAnAnswer() throws IOException {
        answers = _ -> REFUSED;

        assertThat(ada.ask("GET", "/v3/account/whoami", null).status()).isEqualTo(429);
        assertThat(requests).isEqualTo(20);
    }

    @Test
    void syncsAreRepeatedWhileTheNodeIsBehind() throws IOException {
        answers = request -> request == 1 ? BEHIND : NEWS;

        assertThat(ada.sync(Duration.ZERO).path("news").asBoolean(false)).isTrue();
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void nodesThatStayBehindAreFaulty() {
        answers = _ -> {
            nanos.addAndGet(Person.PATIENCE.toNanos());
            return BEHIND;
        };

        assertThatThrownBy(ada::catchUp)
                .isInstanceOf(UnexpectedAnswerException.class)
                .hasMessageContaining("503");
        assertThat(requests).isEqualTo(1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        var text = answers.apply(++requests);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            int status = switch (text) {
                case REFUSED -> 429;
                case BEHIND -> 503;
                default -> 200;
            };
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
