package rookery.auth.sms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmsFolderTest {
    @Test
    void eachMessageIsAFileThatOnlyItsOwnerReads(@TempDir Path data) throws IOException {
        var folder = new SmsFolder(data.resolve("sms"), Clock.systemUTC(), new Random(1));

        folder.write("+447400123456", "Your code is 123456").block();
        folder.write("+447400123456", "Your code is 654321").block();

        try (var files = Files.list(data.resolve("sms"))) {
            var all = files.toList();
            var texts = new ArrayList<String>();
            for (var file : all) {
                texts.add(Files.readString(file));
            }
            assertThat(texts)
                    .containsExactlyInAnyOrder(
                            "To: +447400123456\n\nYour code is 123456\n", "To: +447400123456\n\nYour code is 654321\n");
            assertThat(Files.getPosixFilePermissions(all.getFirst()))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
    }
}
