// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import rookery.embedded.Database;
import rookery.embedded.Folders;
import rookery.embedded.Ports;
import rookery.model.id.ServerName;

/**
 * Writes the configuration of an instance into a file that only its owner may read, because all users of the machine see command
 * lines. The properties are those of a real cluster.
 */
record InstanceConfiguration(
        Path folder, Options options, Installation installation, InstanceFiles instances, Servers servers) {
    /** Writes the file. Returns the arguments for the application's {@code main}. */
    String[] write(Placement place) {
        var file = folder.resolve(place.name() + ".properties");
        var text = new StringWriter();
        try {
            properties(place).store(text, "Written by the launcher at every start.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Folders.writeSecret(file, text.toString());
        return new String[] {"--spring.config.additional-location=file:" + file};
    }

    Properties properties(Placement place) {
        var properties = new Properties();
        properties.putAll(Map.of(
                "rookery.redis.url", servers.redis().url(),
                "rookery.internal.keys", String.join(",", installation.keysOf(place.service())),
                "rookery.instances.folder", instances.folder().toString(),
                "rookery.instance.name", place.name(),
                "server.port", Integer.toString(place.port()),
                "management.server.port", Integer.toString(place.managementPort()),
                "management.server.address", "127.0.0.1",
                "spring.lifecycle.timeout-per-shutdown-phase", "5s"));
        if (place.service() == Service.GATEWAY || place.service() == Service.ADMIN) {
            properties.setProperty("rookery.rate-limit.max-requests", Integer.toString(options.maxRequests));
        }
        properties.setProperty(
                "server.address", place.service() == Service.GATEWAY ? options.listen.getHostAddress() : "127.0.0.1");
        if (place.service() == Service.GATEWAY && options.publicUrl != null) {
            putProxies(properties);
        }
        if (place.service() == Service.AUTH) {
            putPublicUrls(properties);
            properties.setProperty("rookery.auth.registration.warns-if-open", "false"); // the greeting does
            properties.setProperty(
                    "rookery.mail.folder", folder.resolveSibling("mail").toString());
            properties.setProperty(
                    "rookery.sms.folder", folder.resolveSibling("sms").toString());
        }
        if (place.service() == Service.ROOM) {
            properties.setProperty(
                    "rookery.room.media.folder",
                    folder.resolveSibling(DataFolder.MEDIA).toString());
        }
        if (place.service() == Service.ADMIN) {
            properties.setProperty("rookery.admin.operator.port", Integer.toString(Ports.free()));
            properties.setProperty("rookery.admin.operator.token", installation.operatorToken());
        }
        if (place.service().usesKafka()) {
            properties.putAll(servers.kafka().springPropertiesOf(place.service().title()));
        }
        if (place.service() == Service.PUSH) {
            var allowed = Boolean.toString(options.pushToPrivate);
            properties.setProperty("rookery.push.allow-http", allowed);
            properties.setProperty("rookery.push.allow-private", allowed);
        }
        var database = servers.databases().get(place.service().title());
        if (database != null) {
            properties.setProperty(
                    "rookery.disk.folders.data",
                    folder.toAbsolutePath().resolveSibling(DataFolder.DATABASE).toString());
            putDatabase(properties, database);
        }
        putTenants(properties);
        return properties;
    }

    /** Trusts the proxy on this machine. */
    private static void putProxies(Properties properties) {
        properties.setProperty("rookery.client-address.trusted-proxies[0]", "127.0.0.1/32");
        properties.setProperty("rookery.client-address.trusted-proxies[1]", "::1/128");
    }

    /** The base URLs of links in mails, and if there is a proxy, the URL in the discovery document of the first tenant. */
    private void putPublicUrls(Properties properties) {
        properties.setProperty(
                "rookery.auth.public-base-url",
                options.tenants.isEmpty() ? options.url() : "http://{server-name}:" + options.port);
        if (options.publicUrl != null) {
            properties.setProperty("rookery.tenants[0].settings.public-url", options.publicUrl.toString());
        }
    }

    private static void putDatabase(Properties properties, Database database) {
        properties.setProperty("spring.r2dbc.url", database.r2dbcUrl());
        properties.setProperty("spring.r2dbc.username", database.username());
        properties.setProperty("spring.r2dbc.password", database.password());
    }

    private void putTenants(Properties properties) {
        var ownHosts = new ArrayList<>(List.of("localhost", "127.0.0.1", "[::1]", options.host()));
        if (options.publicUrl != null) {
            ownHosts.add(options.publicUrl.getHost().toLowerCase(Locale.ROOT));
        }
        options.tenants.forEach(name -> ownHosts.remove(name.value()));
        putTenant(properties, 0, options.serverName, ownHosts);
        for (int i = 0; i < options.tenants.size(); i++) {
            putTenant(properties, i + 1, options.tenants.get(i), List.of());
        }
        boolean isAlone = options.tenants.isEmpty()
                && servers.unserved(options.serverNames()).isEmpty();
        if (isAlone) { // otherwise hosts of unserved tenants would lead there
            properties.setProperty(
                    "rookery.default-tenant", number(options.serverName)); // under any name of the machine
        }
    }

    /** The tenant's number from the data, independent of the order and completeness of the options. */
    private String number(ServerName name) {
        var tenant = Objects.requireNonNull(servers.tenants().find(name));
        return Integer.toString(tenant.id().value());
    }

    private void putTenant(Properties properties, int index, ServerName name, List<String> furtherHosts) {
        var hosts = new LinkedHashSet<>(furtherHosts);
        hosts.add(name.value());
        var key = "rookery.tenants[%d].".formatted(index);
        properties.setProperty(key + "id", number(name));
        properties.setProperty(key + "server-name", name.value());
        int number = 0;
        for (var host : hosts) {
            properties.setProperty(key + "hosts[" + number++ + "]", host);
        }
    }
}
