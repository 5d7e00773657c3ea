// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.embedded.TestServers;
import rookery.gateway.Upstream.Reply;
import rookery.gateway.Upstream.SeenRequest;

/** The date and cache headers of every answer (contract.md 2.1), also of Netty's own answers. */
class AnswerHeadersIT {
    private static final Path INSTANCES = TestServers.folder("answer-headers-instances");

    private static Upstream room;
    private static RunningGateway gateway;

    @BeforeAll
    static void start() {
        room = new Upstream(AnswerHeadersIT::answer);
        RunningGateway.register(INSTANCES, "room-service-1", room.address());
        gateway = new RunningGateway(TestServers.redis().url(), INSTANCES, "--rookery.rate-limit.enabled=false");
    }

    @AfterAll
    static void stop() {
        gateway.close();
        room.close();
    }

    private static Reply answer(SeenRequest seen) {
        return seen.uri().contains("picture")
                ? new Reply(200, "bytes", Map.of("Content-Type", "image/png", "Cache-Control", "private, immutable"))
                : new Reply(200, "{}", Map.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET /_api/client/v3/rooms/!r:alpha.test/messages HTTP/1.1       | 200 | no-store
            GET /_matrix/client/v3/rooms/!r:alpha.test/messages HTTP/1.1    | 200 | no-store
            GET /_api/media/v3/download/alpha.test/picture HTTP/1.1         | 200 | private, immutable
            GET /_api/media/v3/config HTTP/1.1                              | 200 | no-store
            GET /_api/client/versions HTTP/1.1                              | 200 | no-store
            GET /_api/client/health HTTP/1.1                                | 200 | no-store
            GET /nowhere HTTP/1.1                                           | 404 | no-store
            POST /_api/client/versions HTTP/1.1                             | 405 | no-store
            GET /_api/client/v3/publicRooms HTTP/1.1                        | 503 | no-store
            GET /_api/client/v3/rooms/%zz/state HTTP/1.1                    | 400 | no-store
            GET /_api/client/versions HTTP/9.9                              | 505 | no-store
            this is no request                                              | 400 | no-store
            OPTIONS /_api/client/versions HTTP/1.1                          | 204 |
            GET / HTTP/1.1                                                  | 200 |
            """)
    void everyAnswerHasADateAndJsonIsNotKeptByCaches(String request, int status, @Nullable String cacheControl) {
        var began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        var answer = gateway.raw(request + "\r\nHost: alpha.test\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        var date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(
                header(answer, "date").getFirst(), Instant::from);
        assertThat(date).isBetween(began, Instant.now());
        assertThat(header(answer, "cache-control")).isEqualTo(cacheControl == null ? List.of() : List.of(cacheControl));
    }

    private static List<String> header(String answer, String name) {
        return answer.lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }
}
