// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.registration.RegistrationTokens.RegistrationToken;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ServiceName;

/** Registration tokens for admin-service, which has checked the permissions of the administrator or operator. */
@RestController
class InternalRegistrationTokenApi {
    private static final String ID = "[0-9a-f]{16}";

    private final RegistrationTokens tokens;

    InternalRegistrationTokenApi(RegistrationTokens tokens) {
        this.tokens = tokens;
    }

    /** Only this answer shows the token. */
    @Callers({ServiceName.OPERATOR, ServiceName.ADMIN})
    @PostMapping("/internal/admin/registration-token")
    Mono<MadeAnswer> make(@RequestBody TokenRequest request) {
        if ((request.uses != null && request.uses < 1) || (request.lifeSeconds != null && request.lifeSeconds < 1)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "uses and life_seconds are at least 1");
        }
        var life = request.lifeSeconds == null ? null : Duration.ofSeconds(request.lifeSeconds);
        return tokens.make(request.tenant, request.token, request.uses, life, Boolean.TRUE.equals(request.grantsAdmin))
                .map(made -> new MadeAnswer(made.token(), made.row()));
    }

    /** Lines in the format of {@link ListLines}. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/registration-tokens")
    Flux<byte[]> list(@RequestBody ListRequest request) {
        return ListLines.write(
                tokens.count(request.tenant),
                request.after,
                request.limit,
                (key, most) -> tokens.after(request.tenant, key, most),
                RegistrationToken::id);
    }

    /** M_NOT_FOUND. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/registration-token/find")
    Mono<RegistrationToken> find(@RequestBody IdRequest request) {
        return tokens.find(request.tenant, known(request.id))
                .switchIfEmpty(Mono.error(InternalRegistrationTokenApi::unknown));
    }

    /** M_NOT_FOUND. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/registration-token/revoke")
    Mono<Map<String, Object>> revoke(@RequestBody IdRequest request) {
        return tokens.revoke(request.tenant, known(request.id))
                .flatMap(isRevoked -> isRevoked ? Mono.just(Map.of()) : Mono.error(unknown()));
    }

    private static String known(String id) {
        if (!id.matches(ID)) {
            throw unknown();
        }
        return id;
    }

    private static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there is no registration token with this id");
    }

    /**
     * The registration token to create (contract.md 5.1).
     *
     * @param token null for a random text
     * @param uses null for unlimited uses
     * @param lifeSeconds null for a token that never expires
     */
    record TokenRequest(
            TenantId tenant,
            @Nullable String token,
            @Nullable Integer uses,
            @JsonProperty("life_seconds") @Nullable Long lifeSeconds,
            @JsonProperty("grants_admin") @Nullable Boolean grantsAdmin) {
        @Override
        public String toString() {
            return "TokenRequest"; // without the token
        }
    }

    record MadeAnswer(String token, @JsonUnwrapped RegistrationToken row) {
        @Override
        public String toString() {
            return row.toString(); // without the token
        }
    }

    /**
     * The request for a list.
     *
     * @param after the last id of the page before; empty for the first page
     * @param limit null for all
     */
    record ListRequest(
            TenantId tenant, String after, @Nullable Integer limit) {}

    record IdRequest(TenantId tenant, String id) {}
}
