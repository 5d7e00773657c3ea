// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import rookery.embedded.Folders;
import rookery.embedded.Migrations;
import rookery.embedded.Secrets;
import rookery.platform.http.KeyDerivation;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;

/**
 * The properties fixed at the creation of a data folder: layout, server name and secrets.
 *
 * @param internalKey the master key from which all service keys are derived; a new master would invalidate all sync tokens
 */
record Installation(int layout, String serverName, String internalKey, Properties passwords) {
    /** Raised when older versions cannot use the folder any more. */
    static final int LAYOUT = 1;

    private static final String COMMENT = "Rookery's data folder. Made by deploy/run; holds secrets, keep it private.";
    private static final String OPERATOR_TOKEN = "operator-token";
    private static final String PASSWORD = "database-password.";

    static Installation create(String serverName) {
        var passwords = new Properties();
        Migrations.SERVICES.forEach(service -> passwords.setProperty(service, Secrets.random()));
        return new Installation(LAYOUT, serverName, Secrets.random(), passwords);
    }

    /** The keys of one service, by name. A service gets neither the master nor the keys of other services. */
    List<String> keysOf(Service service) {
        return KeyDerivation.keysOf(service.inCalls(), internalKey);
    }

    /** The credential of the launcher. */
    ServiceCredential operatorCredential() {
        return new ServiceCredential(ServiceKeys.derived(ServiceName.OPERATOR, internalKey), Clock.systemUTC());
    }

    /** The token of the operators' API. */
    String operatorToken() {
        return HexFormat.of().formatHex(KeyDerivation.derived(internalKey, OPERATOR_TOKEN));
    }

    String password(String service) {
        return passwords.getProperty(service, "");
    }

    Map<String, String> passwordsByService() {
        return Migrations.SERVICES.stream().collect(Collectors.toMap(service -> service, this::password));
    }

    String text() {
        var properties = new Properties();
        properties.setProperty("layout", Integer.toString(layout));
        properties.setProperty("server-name", serverName);
        properties.setProperty("internal-key", internalKey);
        passwords
                .stringPropertyNames()
                .forEach(service -> properties.setProperty(PASSWORD + service, password(service)));
        var text = new StringWriter();
        try {
            properties.store(text, COMMENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** Parses the result of {@link #text}. Of a newer version only the layout is reliable. */
    static Installation parse(String text) {
        var properties = Folders.parsed(text);
        var passwords = new Properties();
        for (var key : properties.stringPropertyNames()) {
            if (key.startsWith(PASSWORD)) {
                passwords.setProperty(key.substring(PASSWORD.length()), properties.getProperty(key));
            }
        }
        return new Installation(
                layout(properties.getProperty("layout", "")),
                properties.getProperty("server-name", ""),
                properties.getProperty("internal-key", ""),
                passwords);
    }

    private static int layout(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
