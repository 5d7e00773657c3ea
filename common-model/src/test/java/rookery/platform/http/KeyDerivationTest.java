// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyDerivationTest {
    private static final Path SCRIPT = Path.of("..", "deploy", "compose", "secrets");
    private static final String MASTER = "0123456789abcdef0123456789abcdef";

    /** The output of {@code openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt info:… HKDF}. */
    @Test
    void isHkdfOverTheName() {
        assertThat(HexFormat.of().formatHex(KeyDerivation.derived(MASTER, "gateway>room-service")))
                .isEqualTo("859cb1c118be1553b0061f656d2c5fc41ef039271538fe12fb771c96db3d1566");
    }

    @Test
    void theScriptGivesEachServiceTheSameKeysAndNoOthers(@TempDir Path folder) throws Exception {
        var script = Files.copy(SCRIPT, folder.resolve("secrets"));
        var made = Files.createDirectory(folder.resolve("secrets.d"));
        Files.writeString(made.resolve("internal-key"), MASTER);
        var process = new ProcessBuilder("bash", script.toString())
                .redirectErrorStream(true)
                .start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();

        for (var service : ServiceName.values()) {
            if (service != ServiceName.OPERATOR) {
                assertThat(keys(made.resolve("keys-" + service.title())))
                        .as(service.title())
                        .containsExactlyInAnyOrderElementsOf(KeyDerivation.keysOf(service, MASTER));
            }
        }
    }

    private static List<String> keys(Path file) throws IOException {
        return List.of(Files.readString(file).split(",", -1));
    }
}
