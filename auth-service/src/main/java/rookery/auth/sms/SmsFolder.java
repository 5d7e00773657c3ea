package rookery.auth.sms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Writes each text message into a file of a folder, for installations without an SMS provider. */
final class SmsFolder {
    private static final Logger log = LoggerFactory.getLogger(SmsFolder.class);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final Clock clock;
    private final RandomGenerator random;

    SmsFolder(Path folder, Clock clock, RandomGenerator random) {
        this.folder = folder;
        this.clock = clock;
        this.random = random;
    }

    /** The first line is the number. Writes a temporary file and renames it when it is complete. */
    Mono<Void> write(String number, String text) {
        return Mono.fromFuture(() -> CompletableFuture.runAsync(
                () -> written("To: " + number + "\n\n" + text + "\n"), Thread::startVirtualThread));
    }

    private void written(String message) {
        try {
            Files.createDirectories(folder);
            moved(message, Files.createTempFile(folder, ".", ".part")); // readable only by its owner
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void moved(String message, Path unfinished) throws IOException {
        try {
            Files.writeString(unfinished, message);
            String name = NAME.format(clock.instant()) + "-" + HexFormat.of().toHexDigits(random.nextInt()) + ".txt";
            var file = Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            log.atInfo()
                    .addKeyValue("file", file)
                    .log("there is no provider, so the text message was written to a file");
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
