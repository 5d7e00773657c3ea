// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import rookery.embedded.Folders;

/** The generated secrets of a data folder. */
record Secrets(Properties properties) {
    static Secrets of(Path data) {
        return new Secrets(Objects.requireNonNull(Folders.propertiesOf(data.resolve("rookery.properties"))));
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
