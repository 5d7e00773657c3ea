package rookery.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The generated secrets of a data folder. */
record Secrets(Properties properties) {
    static Secrets of(Path data) {
        var properties = new Properties();
        try (var text = Files.newBufferedReader(data.resolve("rookery.properties"))) {
            properties.load(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Secrets(properties);
    }

    String password(String service) {
        return properties.getProperty("database-password." + service, "");
    }

    String internalKey() {
        return properties.getProperty("internal-key", "");
    }

    @Override
    public String toString() {
        return "secrets";
    }
}
