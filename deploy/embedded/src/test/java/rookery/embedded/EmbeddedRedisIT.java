// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EmbeddedRedisIT {
    @Test
    void comesBackEmptyAtTheSameAddress() throws IOException {
        try (var redis = EmbeddedRedis.start(TestServers.folder("redis"), TestServers.binaries())) {
            var url = redis.url();
            assertThat(ask(url, "SET k v")).isEqualTo("+OK");
            assertThat(ask(url, "EXISTS k")).isEqualTo(":1");

            redis.kill();
            redis.startAgain();

            assertThat(redis.url()).isEqualTo(url);
            assertThat(ask(url, "EXISTS k")).isEqualTo(":0");
        }
    }

    @Test
    void nobodyEntersWithoutThePassword() throws IOException {
        assertThat(say(TestServers.redis().port(), "PING\r\n")).startsWith("-NOAUTH");
    }

    private static String ask(String url, String command) throws IOException {
        var address = URI.create(url);
        var password = address.getUserInfo().substring(1);
        var answers = say(address.getPort(), "AUTH %s\r\n%s\r\n".formatted(password, command));
        return answers.lines().toList().getLast();
    }

    private static String say(int port, String text) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
