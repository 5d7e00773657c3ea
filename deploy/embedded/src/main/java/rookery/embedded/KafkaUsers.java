// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.plain.PlainLoginModule;

/**
 * The broker's SASL users and ACLs: each service has its own password, reads all topics, and writes its own topics only; other
 * users have no rights. The passwords are in a file that only its owner may read.
 */
final class KafkaUsers {
    /** The user with all rights: the broker itself, and the client that makes the topics. */
    static final String ADMIN = "admin";

    static final String MECHANISM = "PLAIN";

    private static final List<String> READERS =
            List.of("auth-service", "room-service", "sync-service", "directory-service", "push-service");

    private static final Map<String, List<String>> WRITERS = Map.of(
            "room-log", List.of("room-service"),
            "user-log", List.of("auth-service"),
            "ephemeral", List.of("room-service", "sync-service"));

    private final Properties passwords;

    private KafkaUsers(Properties passwords) {
        this.passwords = passwords;
    }

    /** Reads the users of the file; adds a password for each missing user. */
    static KafkaUsers in(Path file) {
        var passwords = new Properties();
        var stored = Folders.textOf(file);
        try {
            if (stored != null) {
                passwords.load(new StringReader(stored));
            }
            var missing = Stream.concat(Stream.of(ADMIN), READERS.stream())
                    .filter(user -> passwords.getProperty(user) == null)
                    .toList();
            if (!missing.isEmpty()) {
                missing.forEach(user -> passwords.setProperty(user, Secrets.random()));
                var text = new StringWriter();
                passwords.store(text, "Passwords at Kafka, made by the launcher.");
                Folders.writeSecret(file, text.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KafkaUsers(passwords);
    }

    /** The client settings with the credentials of a user. */
    Map<String, String> clientSettings(String user) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", MECHANISM);
        settings.put("sasl.jaas.config", "%s required %s;".formatted(PlainLoginModule.class.getName(), login(user)));
        return settings;
    }

    /** The JAAS configuration of a broker's listener: the users it accepts, and the broker's own login. */
    String listenerJaas() {
        var logins = passwords.stringPropertyNames().stream()
                .sorted()
                .map(user -> "user_%s=\"%s\"".formatted(user, passwords.getProperty(user)))
                .collect(Collectors.joining(" "));
        return "%s required %s %s;".formatted(PlainLoginModule.class.getName(), login(ADMIN), logins);
    }

    private String login(String user) {
        var password = passwords.getProperty(user);
        if (password == null) {
            throw new IllegalArgumentException(user + " has nothing to do with Kafka");
        }
        return "username=\"%s\" password=\"%s\"".formatted(user, password);
    }

    /** The rights of all users except {@link #ADMIN}. */
    static List<AclBinding> rights() {
        var rights = new ArrayList<AclBinding>();
        WRITERS.forEach((topic, writers) -> {
            READERS.forEach(reader -> rights.add(allowed(reader, AclOperation.READ, topic)));
            writers.forEach(writer -> rights.add(allowed(writer, AclOperation.WRITE, topic)));
        });
        return rights;
    }

    private static AclBinding allowed(String user, AclOperation operation, String topic) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }
}
