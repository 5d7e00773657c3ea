// SPDX-License-Identifier: Apache-2.0
package rookery.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import rookery.embedded.Folders;

/** The images that {@code deploy/compose/compose.yaml} names. */
public final class Images {
    private Images() {}

    /** The root folder of the sources. */
    public static Path root() {
        return Folders.outermostWithPom(Path.of("").toAbsolutePath());
    }

    public static Path composeFile() {
        return root().resolve("deploy/compose/compose.yaml");
    }

    /** The default image of a variable of the compose file, such as {@code postgres:18} of {@code POSTGRES_IMAGE}. */
    static String named(String variable) {
        var image = Pattern.compile("\\$\\{%s:-([^}]+)}".formatted(variable)).matcher(text(composeFile()));
        if (!image.find()) {
            throw new IllegalStateException(composeFile() + " names no " + variable);
        }
        return image.group(1);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
