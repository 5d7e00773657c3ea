// SPDX-License-Identifier: Apache-2.0
package rookery.platform.registry;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import rookery.platform.instance.OwnInstanceProperties;
import rookery.platform.runtime.RepeatedTask;
import rookery.platform.tenant.TenantList;
import rookery.platform.tenant.TenantNames;
import rookery.platform.tenant.Tenants;
import rookery.platform.tenant.TenantsRefusedException;

/**
 * Follows the registry of tenants (design.md 7): one request after the other to admin-service, each answered as soon as the registry
 * has another version than this process. A service with a database stores each version of the registry in {@code tenant_copy} before
 * the version is in force, and starts with the stored version while admin-service is away.
 */
@Component
public final class TenantFollower implements DisposableBean {
    public static final String PATH = "/internal/tenants";

    private static final Logger log = LoggerFactory.getLogger(TenantFollower.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Changes that come together are read together. */
    private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(250);

    private static final String KEY = "tenants";

    private final ServiceClient services;
    private final Tenants tenants;
    private final @Nullable TenantNames names;
    private final RepeatedTask following;

    TenantFollower(
            ServiceClient services,
            Tenants tenants,
            OwnInstanceProperties own,
            MeterRegistry meters,
            ObjectProvider<DatabaseClient> database) {
        this.services = services;
        this.tenants = tenants;
        var db = database.getIfAvailable();
        this.names = db == null ? null : new TenantNames(db, own.service());
        Gauge.builder("registry_version", tenants, Tenants::version)
                .description("the version of the registry that is in force in this process")
                .register(meters);
        this.following = new RepeatedTask("tenants", this::next);
    }

    /** Whether this process has had the registry, or a copy of it, since its start. */
    public boolean isCurrent() {
        return tenants.version() > 0;
    }

    private Mono<Void> next() {
        return Mono.defer(() -> services.get(
                        ServiceName.ADMIN.title(), KEY, PATH + "?version=" + tenants.version(), TenantList.class))
                .filter(list -> list.version() != tenants.version())
                .flatMap(this::take)
                .then(Mono.delay(BETWEEN_REQUESTS).then())
                .onErrorResume(this::later);
    }

    private Mono<Void> take(TenantList list) {
        var stored = names == null ? Mono.<Void>empty() : names.store(list);
        return stored.then(Mono.fromRunnable(() -> {
            tenants.install(list);
            log.atInfo()
                    .addKeyValue("version", list.version())
                    .addKeyValue("tenants", list.tenants().size())
                    .log("the tenants of the registry are in force");
        }));
    }

    /** Admin-service may be away: the tenants stay as they are. */
    private Mono<Void> later(Throwable failure) {
        if (failure instanceof TenantsRefusedException) {
            log.atError()
                    .addKeyValue("cause", failure.getMessage())
                    .log("the tenants of the registry contradict this service's data and are not used");
        } else {
            log.atDebug()
                    .addKeyValue("cause", failure.getMessage())
                    .log("the registry of tenants cannot be read, trying again");
        }
        return Mono.delay(PAUSE).then();
    }

    @Override
    public void destroy() {
        following.close();
    }
}
