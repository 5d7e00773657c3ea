// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.program.Complaint;
import rookery.standalone.ControlRequest.Verb;

class ControlPortTest {
    private static final ControlRequest ADD = new ControlRequest(Verb.ADD, "sync");

    private final CopyOnWriteArrayList<ControlRequest> asked = new CopyOnWriteArrayList<>();

    @TempDir
    Path folder;

    @Test
    void whoReadsTheFolderIsAnsweredWhatWasDone() throws IOException {
        try (var _ = open()) {
            assertThat(ControlPort.ask(folder, ADD)).isEqualTo("done: ADD sync");
            assertThat(asked).containsExactly(ADD);
            assertThat(Files.getPosixFilePermissions(folder.resolve("control.properties")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void whatCannotBeDoneIsSaidAsItWasThere() {
        try (var _ = open()) {
            assertThatThrownBy(() -> ControlPort.ask(folder, new ControlRequest(Verb.STOP, "nobody-1")))
                    .isInstanceOf(Complaint.class)
                    .hasMessage("there is no nobody-1");
        }
    }

    @Test
    void withoutARunOneIsToldHowToStartIt() {
        open().close();
        assertThatThrownBy(() -> ControlPort.ask(folder, ADD))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("deploy/run --cluster");
    }

    @Test
    void withoutTheKeyNothingIsDone() throws IOException {
        try (var _ = open()) {
            assertThat(raw("x".repeat(100_000) + "\n")).startsWith("failed");
            assertThat(raw("0123 ADD sync\n")).startsWith("failed");
            assertThat(raw("\n")).startsWith("failed");
            assertThat(asked).isEmpty();
        }
    }

    private ControlPort open() {
        return ControlPort.open(folder, request -> {
            if (request.subject().startsWith("nobody")) {
                throw Complaint.failure("there is no " + request.subject());
            }
            asked.add(request);
            return "done: %s %s".formatted(request.verb(), request.subject());
        });
    }

    private String raw(String text) throws IOException {
        var properties = new Properties();
        try (var file = Files.newBufferedReader(folder.resolve("control.properties"))) {
            properties.load(file);
        }
        int port = Integer.parseInt(properties.getProperty("port"));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            var answer = new StringBuilder();
            var in = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8);
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                answer.append((char) next);
            }
            return answer.toString();
        }
    }
}
