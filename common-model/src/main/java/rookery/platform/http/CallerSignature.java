// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Identity;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Prefix;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** Writes and verifies the header with the caller of a request, from the gateway to the services. */
@Component
public class CallerSignature {
    public static final String HEADER = "X-Rookery-Caller";

    /** The Host header of the client, for the console only, which compares it with the Origin of forms. */
    public static final String HOST_HEADER = "X-Rookery-Host";

    private static final Logger log = LoggerFactory.getLogger(CallerSignature.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Signature signature;
    private final Clock clock;

    public CallerSignature(ServiceKeys keys, Clock clock) {
        this.signature = new Signature("caller", keys);
        this.clock = clock;
    }

    /**
     * Signs a caller for one request.
     *
     * @param callee the called service, such as {@code room-service}
     * @param path the path of the request, without the query
     */
    public String sign(Caller caller, String callee, HttpMethod method, String path) {
        return signature.sign(JSON.writeValueAsBytes(wire(caller)), callee, method, path);
    }

    private static Wire wire(Caller caller) {
        var who = caller.who();
        boolean isNobody = who instanceof Anonymous;
        return new Wire(
                caller.tenant(),
                caller.server(),
                isNobody ? null : caller.user(),
                isNobody ? null : caller.device(),
                who instanceof Known known && known.admin(),
                who instanceof Locked,
                caller.isSuspended() ? true : null,
                who instanceof Anonymous(var reason) ? reason : null,
                caller.prefix(),
                caller.ip(),
                caller.requestId(),
                caller.expiry().toEpochMilli());
    }

    /** Returns the caller, or null if the gateway has not signed this request; 503 if the signature has expired. */
    public @Nullable Caller verified(String header, HttpMethod method, String path) {
        var signed = signature.verified(header, method, path);
        if (signed == null || signed.by() != ServiceName.GATEWAY) {
            return null;
        }
        var wire = JSON.readValue(signed.content(), Wire.class);
        var expiry = Instant.ofEpochMilli(wire.expiry);
        if (expiry.isBefore(clock.instant())) {
            throw expired();
        }
        var prefix = wire.prefix == null ? Prefix.OWN : wire.prefix; // gateways of 0.2.0 do not send the prefix
        return new Caller(wire.tenant, wire.server, who(wire), prefix, wire.ip, wire.requestId, expiry);
    }

    /**
     * 503, because clients would take a refusal as final: the clocks of two machines differ too much, which operators correct.
     */
    static ApiException expired() {
        log.atWarn().log("a request was signed too long ago: the clocks of the machines differ, set them by NTP");
        return ApiException.unavailable("the parts of this server disagree about the time, try again in a moment");
    }

    private static Identity who(Wire wire) {
        if (wire.user == null) {
            return new Anonymous(wire.reason == null ? Reason.MISSING : wire.reason);
        }
        var device = Objects.requireNonNull(wire.device);
        return wire.locked
                ? new Locked(wire.user, device)
                : new Known(wire.user, device, wire.admin, Boolean.TRUE.equals(wire.suspended));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Wire(
            TenantId tenant,
            ServerName server,
            @Nullable UserId user,
            @Nullable DeviceId device,
            boolean admin,
            boolean locked,
            @Nullable Boolean suspended,
            @Nullable Reason reason,
            @Nullable Prefix prefix,
            String ip,
            @JsonProperty("request_id") String requestId,
            long expiry) {}
}
