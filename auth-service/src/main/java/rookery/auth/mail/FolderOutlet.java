package rookery.auth.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Properties;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each mail as an .eml file into a folder, for installations without a mail server. */
final class FolderOutlet implements Outlet {
    private static final Logger log = LoggerFactory.getLogger(FolderOutlet.class);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final Clock clock;
    private final RandomGenerator random;

    FolderOutlet(Path folder, Clock clock, RandomGenerator random) {
        this.folder = folder;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public MimeMessage create() {
        return new MimeMessage(Session.getInstance(new Properties()));
    }

    /** Writes a temporary file and renames it when it is complete. */
    @Override
    public void deliver(MimeMessage message) throws IOException, MessagingException {
        Files.createDirectories(folder);
        var unfinished = Files.createTempFile(folder, ".", ".part"); // readable only by its owner
        try {
            try (var out = Files.newOutputStream(unfinished)) {
                message.writeTo(out);
            }
            String name = NAME.format(clock.instant()) + "-" + HexFormat.of().toHexDigits(random.nextInt()) + ".eml";
            var file = Files.move(unfinished, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            log.atInfo().addKeyValue("file", file).log("there is no mail server, so the mail was written to a file");
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }
}
