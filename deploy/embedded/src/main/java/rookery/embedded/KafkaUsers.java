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
 * Who may do what at the broker, by SASL and ACLs: each service has a password of its own, reads all topics, and writes only its own;
 * nobody else can do anything. The passwords stay in a file that only its owner may read.
 */
final class KafkaUsers {
    /** May do everything: the broker itself, and whoever makes the topics. */
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

    /** Those in the file; makes passwords for who has none yet. */
    static KafkaUsers in(Path file) {
        var passwords = new Properties();
        var kept = Folders.textOf(file);
        try {
            if (kept != null) {
                passwords.load(new StringReader(kept));
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

    /** What a client says of itself, for its settings. */
    Map<String, String> clientSettings(String user) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("security.protocol", "SASL_PLAINTEXT");
        settings.put("sasl.mechanism", MECHANISM);
        settings.put("sasl.jaas.config", "%s required %s;".formatted(PlainLoginModule.class.getName(), login(user)));
        return settings;
    }

    /** Whom a listener of the broker knows, and as whom the broker itself comes to it. */
    String listenerJaas() {
        var known = passwords.stringPropertyNames().stream()
                .sorted()
                .map(user -> "user_%s=\"%s\"".formatted(user, passwords.getProperty(user)))
                .collect(Collectors.joining(" "));
        return "%s required %s %s;".formatted(PlainLoginModule.class.getName(), login(ADMIN), known);
    }

    private String login(String user) {
        var password = passwords.getProperty(user);
        if (password == null) {
            throw new IllegalArgumentException(user + " has nothing to do with Kafka");
        }
        return "username=\"%s\" password=\"%s\"".formatted(user, password);
    }

    /** What everybody but {@link #ADMIN} may do. */
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
