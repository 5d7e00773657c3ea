// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import rookery.admin.AdminApplication;
import rookery.auth.AuthApplication;
import rookery.directory.DirectoryApplication;
import rookery.embedded.Migrations;
import rookery.gateway.GatewayApplication;
import rookery.platform.http.ServiceName;
import rookery.push.PushApplication;
import rookery.room.RoomApplication;
import rookery.sync.SyncApplication;

/** The seven services. */
enum Service {
    GATEWAY("gateway", GatewayApplication.class),
    AUTH("auth-service", AuthApplication.class),
    ROOM("room-service", RoomApplication.class),
    SYNC("sync-service", SyncApplication.class),
    DIRECTORY("directory-service", DirectoryApplication.class),
    PUSH("push-service", PushApplication.class),
    ADMIN("admin-service", AdminApplication.class);

    private final String title;
    private final Class<?> application;

    Service(String title, Class<?> application) {
        this.title = title;
        this.application = application;
    }

    /** The name of the module, the configuration and the instances, such as {@code room-service}. */
    String title() {
        return title;
    }

    /** The name in calls between services. */
    ServiceName inCalls() {
        return Objects.requireNonNull(ServiceName.named(title));
    }

    /** The short name on the command line, such as {@code room}. */
    String shortTitle() {
        return title.replace("-service", "");
    }

    Class<?> application() {
        return application;
    }

    /** Gateway and admin-service only pass requests on and do not follow the logs. */
    boolean usesKafka() {
        return this != GATEWAY && this != ADMIN;
    }

    boolean hasDatabase() {
        return Migrations.SERVICES.contains(title);
    }

    static Optional<Service> named(String name) {
        return Arrays.stream(values())
                .filter(service ->
                        service.title.equals(name) || service.shortTitle().equals(name))
                .findFirst();
    }

    static String names() {
        return Arrays.stream(values()).map(Service::shortTitle).collect(Collectors.joining(", "));
    }
}
