// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpMethod;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.model.caller.Caller;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.CallerSignature;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceKeys;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests directly to an instance of a service, with the signatures of the gateway. */
public final class Nodes {
    private static final Duration VALID = Duration.ofMinutes(1);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Rookery rookery;
    private final CallerSignature callers;
    private final ServiceCredential operator;

    public Nodes(Rookery rookery) {
        this.rookery = rookery;
        var master = rookery.internalKey();
        this.callers = new CallerSignature(ServiceKeys.derived(ServiceName.GATEWAY, master), Clock.systemUTC());
        this.operator = new ServiceCredential(ServiceKeys.derived(ServiceName.OPERATOR, master), Clock.systemUTC());
    }

    /** Syncs a user of the first tenant at this node. */
    public Answer sync(Instance node, Session session, SyncQuery query) throws IOException {
        var caller = new Caller(
                new TenantId(1),
                new ServerName("localhost"),
                new Caller.Known(new UserId(session.userId()), new DeviceId(session.deviceId()), false),
                "127.0.0.1",
                "e2e",
                Clock.systemUTC().instant().plus(VALID));
        var site = site(node, TenantAddress.NATIVE);
        var header = callers.sign(
                caller, "sync-service", HttpMethod.GET, site.uri(query.path()).getRawPath());
        try (var http = Http.to(site)) {
            return http.raw("GET", query.path(), Map.of(CallerSignature.HEADER, header), "");
        }
    }

    /**
     * Sends an operator's request to the first instance of a service.
     *
     * @param path such as {@code /internal/admin/promote}
     */
    public Answer internal(String service, String path, Map<String, ?> body) throws IOException {
        var node = Objects.requireNonNull(rookery.instance(service + "-1"), service + " does not run");
        var headers = Map.of(
                ServiceCredential.HEADER,
                operator.sign(service, HttpMethod.POST, path),
                "Content-Type",
                "application/json");
        try (var http = Http.to(site(node, ""))) {
            return http.raw("POST", path, headers, JSON.writeValueAsString(body));
        }
    }

    /** The metrics page of an instance; empty without a management port. */
    public static String metrics(Instance node) throws IOException {
        if (node.management() == null) {
            return "";
        }
        var pages = TenantAddress.at(URI.create("http://" + node.management()), "");
        try (var http = Http.to(pages)) {
            return http.raw("GET", "/actuator/prometheus", Map.of(), "").text();
        }
    }

    boolean isReady(Instance node) {
        var service = node.name().replaceFirst("-\\d+$", "");
        var credential = operator.sign(service, HttpMethod.GET, "/internal/ready");
        try (var http = Http.to(site(node, ""))) {
            return http.raw("GET", "/internal/ready", Map.of(ServiceCredential.HEADER, credential), "")
                    .isOk();
        } catch (IOException _) {
            return false;
        }
    }

    private static TenantAddress site(Instance node, String prefix) {
        return TenantAddress.at(URI.create("http://" + node.address()), prefix);
    }
}
