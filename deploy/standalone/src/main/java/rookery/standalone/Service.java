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

/** The seven services, said once. */
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

    /** As its module, its configuration and its instances are called, such as {@code room-service}. */
    String title() {
        return title;
    }

    /** As the services call each other. */
    ServiceName inCalls() {
        return Objects.requireNonNull(ServiceName.named(title));
    }

    /** As people write it on the command line, such as {@code room}. */
    String shortTitle() {
        return title.replace("-service", "");
    }

    Class<?> application() {
        return application;
    }

    /** The logs concern all but these two, which pass requests on. */
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
