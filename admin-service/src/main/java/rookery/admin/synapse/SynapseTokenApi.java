// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListQuery;
import rookery.admin.registration.RegistrationTokenClient;
import rookery.admin.registration.TokenTerms;
import rookery.model.caller.Caller;
import rookery.model.crypto.Sha256;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Registration tokens (contract.md 5.7). Only the answer to a new token has its text; all others have its id in the same place, and
 * paths accept both. Errors: M_FORBIDDEN for other users before any lookup, M_NOT_FOUND, M_INVALID_PARAM, M_BAD_JSON.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1/registration_tokens")
class SynapseTokenApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");
    private static final int ID_BYTES = 8;
    private static final int USES_MAX = 1_000_000;
    private static final Duration LIFE_MAX = Duration.ofDays(3_650);

    private final RegistrationTokenClient tokens;
    private final Audit audit;
    private final Clock clock;

    SynapseTokenApi(RegistrationTokenClient tokens, Audit audit, Clock clock) {
        this.tokens = tokens;
        this.audit = audit;
        this.clock = clock;
    }

    /** All tokens; {@code valid} selects usable or unusable tokens. */
    @GetMapping
    Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var valid = ListQuery.flag(query, "valid");
        long now = clock.millis();
        var lines = tokens.list(caller.tenant(), new ListQuery("", null, null, null));
        var answer = WholeDocument.of("registration_tokens", lines, line -> shown(line, valid, now));
        return audit.recorded(caller, "list registration tokens", "", answer);
    }

    private static String shown(String line, @Nullable Boolean valid, long now) {
        var token = JSON.readValue(line, ObjectNode.class);
        return valid == null || valid == isValid(token, now)
                ? JSON.writeValueAsString(shape(token, token.path("id").stringValue()))
                : "";
    }

    private static boolean isValid(ObjectNode token, long now) {
        var left = token.path("uses_left");
        var end = token.path("expires_at");
        return !(left.isNumber() && left.longValue() <= token.path("pending").longValue())
                && !(end.isNumber() && end.longValue() <= now);
    }

    /** The number of completed registrations is not stored: {@code uses_allowed} is what is left. */
    private static ObjectNode shape(ObjectNode token, String text) {
        var shape = JsonNodeFactory.instance.objectNode().put("token", text);
        shape.set("uses_allowed", token.path("uses_left"));
        shape.set("pending", token.path("pending"));
        shape.put("completed", 0);
        shape.set("expiry_time", token.path("expires_at"));
        return shape;
    }

    /** Without {@code uses_allowed} for any number of users, without {@code expiry_time} for ever, as in Synapse. */
    @PostMapping("/new")
    Mono<ObjectNode> make(Caller caller, JsonBody body) {
        var terms = new TokenTerms(TokenTerms.text(body), uses(body), life(body.optionalInteger("expiry_time")), false);
        return audit.recorded(caller, "make registration token", "", tokens.make(caller.tenant(), terms))
                .map(made -> shape(made, made.path("token").stringValue()));
    }

    private static @Nullable Integer uses(JsonBody body) {
        var uses = body.optionalInteger("uses_allowed");
        if (uses != null && (uses < 1 || uses > USES_MAX)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "uses_allowed is a number from 1 to " + USES_MAX);
        }
        return uses == null ? null : uses.intValue();
    }

    private @Nullable Duration life(@Nullable Long expiryMillis) {
        if (expiryMillis == null) {
            return null;
        }
        long now = clock.millis();
        if (expiryMillis <= now || expiryMillis - now > LIFE_MAX.toMillis()) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "expiry_time is in the future, within ten years");
        }
        return Duration.ofMillis(expiryMillis - now);
    }

    @GetMapping("/{token}")
    Mono<ObjectNode> find(Caller caller, @PathVariable String token) {
        var id = id(token);
        return audit.recorded(caller, "see registration token", id, tokens.find(caller.tenant(), id))
                .map(found -> shape(found, id));
    }

    @DeleteMapping("/{token}")
    Mono<Map<String, String>> revoke(Caller caller, @PathVariable String token) {
        var id = id(token);
        return audit.recorded(caller, "revoke registration token", id, tokens.revoke(caller.tenant(), id))
                .thenReturn(Map.of());
    }

    /** The id of a token that is named by id or by text, as auth-service derives it; the text is not recorded. */
    private static String id(String token) {
        if (ID.matcher(token).matches()) {
            return token;
        }
        return HexFormat.of().formatHex(Sha256.of(token), 0, ID_BYTES);
    }
}
