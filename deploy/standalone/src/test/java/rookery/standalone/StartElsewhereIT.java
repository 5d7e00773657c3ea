// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.embedded.Ports;

/** Starts on machines that are set up otherwise than ours. */
class StartElsewhereIT {
    @TempDir
    private Path temporary = Path.of("");

    @Test
    void startsInTurkishAndOnAnIpv6Address() throws Exception {
        int port = Ports.free();
        var turkish = Map.of("JAVA_TOOL_OPTIONS", "-Duser.language=tr -Duser.country=TR");
        LauncherForTests.awaitRecordedStart();
        try (var launcher = new LauncherProcess(
                turkish,
                "--listen=::1",
                "--port=" + port,
                "--max-requests=20", // with more readiness queries the run would exceed the limit
                "--data=" + temporary.resolve("data"))) {
            var url = "http://[::1]:" + port;
            assertThat(launcher.printedUntil("ready ")).last().isEqualTo("ready " + url);

            var request = HttpRequest.newBuilder(URI.create(url + "/_api/client/versions"))
                    .build();
            try (var client = HttpClient.newHttpClient()) {
                assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
        }
    }
}
