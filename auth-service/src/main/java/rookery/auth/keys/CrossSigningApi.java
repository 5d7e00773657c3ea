// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.keys.SignaturesUpload.Failure;
import rookery.auth.keys.SigningUploader.Result;
import rookery.model.caller.Caller;
import rookery.platform.http.JsonBody;

/**
 * Uploads of cross-signing keys and of signatures (contract.md 13.5). Errors: 401 with the next stage if the user has other keys
 * already; M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM, M_INVALID_SIGNATURE; M_FORBIDDEN for a key with the ID of a device;
 * M_TOO_LARGE. An upload of signatures stores the valid ones and lists the invalid ones as failures.
 */
@RestController
class CrossSigningApi {
    private final SigningUploader uploader;
    private final SignatureUploader signatures;
    private final Interactive interactive;

    CrossSigningApi(SigningUploader uploader, SignatureUploader signatures, Interactive interactive) {
        this.uploader = uploader;
        this.signatures = signatures;
        this.interactive = interactive;
    }

    @PostMapping("/_api/client/v3/keys/device_signing/upload")
    Mono<ResponseEntity<Object>> upload(Caller caller, JsonBody body) {
        var auth = body.optionalObject("auth");
        if (auth != null && auth.has("session") && !SigningUpload.isIn(body)) {
            return guarded(caller, body); // the keys are in an earlier request of the session
        }
        return uploader.upload(caller.tenant(), caller.user(), SigningUpload.of(body, caller.user()), null)
                .flatMap(result ->
                        result == Result.DONE ? Mono.just(ResponseEntity.ok(Map.of())) : guarded(caller, body));
    }

    private Mono<ResponseEntity<Object>> guarded(Caller caller, JsonBody body) {
        return interactive.guarded(
                caller,
                Operation.DEVICE_SIGNING,
                Flows.PASSWORD,
                body,
                passed -> uploader.upload(
                                caller.tenant(),
                                caller.user(),
                                SigningUpload.of(passed.parameters(), caller.user()),
                                passed)
                        .filter(result -> result == Result.DONE)
                        .map(_ -> Map.of()));
    }

    @PostMapping("/_api/client/v3/keys/signatures/upload")
    Mono<Map<String, Map<String, Map<String, Failure>>>> sign(Caller caller, JsonBody body) {
        return signatures
                .upload(caller.tenant(), SignaturesUpload.of(body, caller.user()))
                .map(verdict -> Map.of("failures", verdict.failures()));
    }
}
