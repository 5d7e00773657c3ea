// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * The settings of a tenant for administrators, who may change the settings of {@link #OWN} (contract.md 5.3).
 * Errors: M_FORBIDDEN for other users and for settings of operators, M_INVALID_PARAM.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin/settings")
public class SettingsAdministrationApi {
    private static final Set<String> OWN = Set.of("registration", "presence", "delayed_events", "room_version");
    /** The other modes open the tenant to strangers, or send mails on the operator's account. */
    private static final Set<String> REGISTRATIONS = Set.of("token", "approval", "closed");

    private static final int RECORDED_MAX = 40;
    private static final long PAUSE_MILLIS = 3_000;
    private static final long MILLIS = 1_000;

    private final TenantRegistry registry;
    private final Tenants tenants;
    private final Audit audit;
    private final Clock clock;
    /** The time of the last change of each tenant, in ms. */
    private final Map<TenantId, Long> changes = new ConcurrentHashMap<>();

    SettingsAdministrationApi(TenantRegistry registry, Tenants tenants, Audit audit, Clock clock) {
        this.registry = registry;
        this.tenants = tenants;
        this.audit = audit;
        this.clock = clock;
    }

    /** The settings of the registry; settings of the configuration are absent. */
    @GetMapping
    public Mono<TenantSettings> show(Caller caller) {
        return audit.recorded(caller, "see settings", "", Mono.just(tenants.settings(caller.tenant())));
    }

    /** Changes the settings of the body, for all instances within two seconds. */
    @PatchMapping
    public Mono<TenantSettings> change(Caller caller, JsonBody body) {
        return audit.recorded(caller, "change settings", record(body), changed(caller.tenant(), body));
    }

    /** M_LIMIT_EXCEEDED within three seconds of the last change at this instance: all instances read every change. */
    private void requirePause(TenantId tenant) {
        long now = clock.millis();
        long last = changes.getOrDefault(tenant, 0L);
        if (now - last < PAUSE_MILLIS) {
            throw new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "wait three seconds between changes of settings")
                    .with("retry_after_ms", PAUSE_MILLIS)
                    .withRetryAfter((int) (PAUSE_MILLIS / MILLIS));
        }
        changes.put(tenant, now);
    }

    /** The settings with their new values, as far as an audit record shows them. */
    private static String record(JsonBody body) {
        return OWN.stream()
                .filter(body::has)
                .sorted()
                .map(setting -> setting + "=" + body.json().path(setting).asString(""))
                .map(change -> change.substring(0, Math.min(change.length(), RECORDED_MAX)))
                .collect(Collectors.joining(" "));
    }

    private Mono<TenantSettings> changed(TenantId tenant, JsonBody body) {
        return Mono.defer(() -> {
            body.json().propertyNames().stream()
                    .filter(setting -> !OWN.contains(setting))
                    .findFirst()
                    .ifPresent(setting -> {
                        throw new ApiException(
                                ErrorCode.M_FORBIDDEN, setting + " is for the operator of the installation to change");
                    });
            var registration = body.optionalString("registration");
            if (registration != null && !REGISTRATIONS.contains(registration)) {
                throw new ApiException(
                        ErrorCode.M_FORBIDDEN, "administrators set registration to token, approval or closed");
            }
            var _ = TenantSettings.NONE.with(body.json()); // a refused change does not count
            requirePause(tenant);
            return registry.changeSettings(registry.byNumber(tenant.value()), before -> before.with(body.json()))
                    .map(changed -> changed.tenant().settings());
        });
    }
}
