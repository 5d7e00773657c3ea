// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.KeyClaimer.ClaimResult;
import rookery.model.caller.Caller;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/**
 * Uploads, queries and claims of device keys (contract.md 13.5). Errors: M_MISSING_PARAM, M_BAD_JSON; M_INVALID_PARAM for keys of
 * another device, a different key under an existing ID, and too many keys; M_TOO_LARGE.
 */
@RestController
class KeysApi {
    private final KeyUploader uploader;
    private final KeyQuery query;
    private final KeyClaimer claimer;

    KeysApi(KeyUploader uploader, KeyQuery query, KeyClaimer claimer) {
        this.uploader = uploader;
        this.query = query;
        this.claimer = claimer;
    }

    @PostMapping("/_api/client/v3/keys/upload")
    Mono<Map<String, Map<String, Long>>> upload(Caller caller, JsonBody body) {
        var own = TenantDevice.of(caller);
        return uploader.upload(own, KeyUpload.of(body, own))
                .map(counts -> Map.of("one_time_key_counts", counts.oneTimeKeys()));
    }

    @PostMapping("/_api/client/v3/keys/query")
    Mono<QueryResponse> query(Caller caller, JsonBody body) {
        return query.of(caller.tenant(), caller.user(), KeyQuery.requested(body));
    }

    @PostMapping("/_api/client/v3/keys/claim")
    Mono<ClaimResponse> claim(Caller caller, JsonBody body) {
        var _ = body.optionalInteger("timeout"); // the timeout for other servers, of which there are none
        return claimer.claim(caller.tenant(), caller.user(), KeyClaimer.claims(body))
                .map(ClaimResponse::of);
    }

    /** {@code user_signing_keys} contains at most the caller's key. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record QueryResponse(
            @JsonProperty("device_keys") Map<String, Map<String, JsonText>> deviceKeys,
            Map<String, Object> failures,
            @JsonProperty("master_keys") Map<String, ObjectNode> masterKeys,
            @JsonProperty("self_signing_keys") Map<String, ObjectNode> selfSigningKeys,
            @JsonProperty("user_signing_keys") Map<String, ObjectNode> userSigningKeys) {}

    /** {@code failures} lists the users whose keys the caller may not claim. */
    record ClaimResponse(
            @JsonProperty("one_time_keys") Map<String, Map<String, Map<String, JsonText>>> keys,
            Map<String, Failure> failures) {
        static ClaimResponse of(ClaimResult result) {
            Map<String, Map<String, Map<String, JsonText>>> keys = new LinkedHashMap<>();
            for (var claimed : result.claimed()) {
                var claim = claimed.claim();
                keys.computeIfAbsent(claim.user().value(), _ -> new LinkedHashMap<>())
                        .put(
                                claim.device().value(),
                                Map.of(
                                        new KeyId(claim.algorithm(), claimed.keyId()).toString(),
                                        new JsonText(claimed.content())));
            }
            Map<String, Failure> failures = new LinkedHashMap<>();
            result.refused().forEach(user -> failures.put(user.value(), Failure.NO_SHARED_ROOM));
            return new ClaimResponse(keys, failures);
        }
    }

    record Failure(String errcode, String error) {
        static final Failure NO_SHARED_ROOM = new Failure(
                ErrorCode.M_FORBIDDEN.name(), "claiming keys needs a common room or invitation with their owner");
    }
}
