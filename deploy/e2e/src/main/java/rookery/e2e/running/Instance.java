package rookery.e2e.running;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Folders;

/**
 * A process of the running Rookery, as the launcher describes it in its file.
 *
 * @param name such as {@code room-service-2} or {@code kafka-1}
 * @param address host and port
 */
public record Instance(String name, long pid, String address) {
    public int port() {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Null when it does not run now. */
    static @Nullable Instance read(Path file) {
        var text = Folders.textOf(file);
        if (text == null) {
            return null;
        }
        var properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Instance(
                file.getFileName().toString(),
                Long.parseLong(properties.getProperty("pid")),
                properties.getProperty("address"));
    }
}
