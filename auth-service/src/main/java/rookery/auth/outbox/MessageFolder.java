// SPDX-License-Identifier: Apache-2.0
package rookery.auth.outbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder with one file for each message. */
public final class MessageFolder {
    private static final Logger log = LoggerFactory.getLogger(MessageFolder.class);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final String suffix;
    private final Clock clock;
    private final RandomGenerator random;

    /** @param suffix of the files, such as .eml */
    public MessageFolder(Path folder, String suffix, Clock clock, RandomGenerator random) {
        this.folder = folder;
        this.suffix = suffix;
        this.clock = clock;
        this.random = random;
    }

    /** Writes a temporary file, readable only by its owner, and renames it when it is complete. Blocks. */
    public void write(byte[] message) {
        try {
            Files.createDirectories(folder);
            moved(message, Files.createTempFile(folder, ".", ".part"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void moved(byte[] message, Path unfinished) throws IOException {
        try {
            Files.write(unfinished, message);
            String name = NAME.format(clock.instant()) + "-" + HexFormat.of().toHexDigits(random.nextInt()) + suffix;
            var file = Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            log.atInfo().addKeyValue("file", file).log("a message was written to a file instead of being sent");
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
