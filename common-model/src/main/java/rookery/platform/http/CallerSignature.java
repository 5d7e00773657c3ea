package rookery.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** Writes and checks the header in which the gateway tells the services who is asking. */
@Component
public class CallerSignature {
    public static final String HEADER = "X-Rookery-Caller";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final byte[] key;
    private final Clock clock;

    public CallerSignature(InternalProperties properties, Clock clock) {
        this.key = properties.derived("caller");
        this.clock = clock;
    }

    public String sign(Caller caller) {
        var known = caller.known();
        return Signature.sign(
                key,
                JSON.writeValueAsBytes(new Wire(
                        caller.tenant(),
                        caller.server(),
                        known == null ? null : known.user(),
                        known == null ? null : known.device(),
                        known != null && known.admin(),
                        caller.who() instanceof Anonymous(var reason) ? reason : null,
                        caller.ip(),
                        caller.requestId(),
                        caller.expiry().toEpochMilli())));
    }

    /** The caller, or null if nobody vouches for it any more. */
    public @Nullable Caller verified(String header) {
        byte[] content = Signature.verified(key, header);
        if (content == null) {
            return null;
        }
        var wire = JSON.readValue(content, Wire.class);
        var expiry = Instant.ofEpochMilli(wire.expiry);
        if (expiry.isBefore(clock.instant())) {
            return null;
        }
        var who = wire.user == null
                ? new Anonymous(wire.reason == null ? Reason.MISSING : wire.reason)
                : new Known(wire.user, Objects.requireNonNull(wire.device), wire.admin);
        return new Caller(wire.tenant, wire.server, who, wire.ip, wire.requestId, expiry);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Wire(
            TenantId tenant,
            ServerName server,
            @Nullable UserId user,
            @Nullable DeviceId device,
            boolean admin,
            @Nullable Reason reason,
            String ip,
            @JsonProperty("request_id") String requestId,
            long expiry) {}
}
