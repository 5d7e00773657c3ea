// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Flows;
import rookery.auth.interactive.Interactive;
import rookery.auth.interactive.Operation;
import rookery.auth.threepid.Addresses;
import rookery.auth.threepid.Threepids;
import rookery.auth.threepid.Threepids.ThreepidRow;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceName;

/**
 * The addresses of an account (contract.md 7.4, 7.5). Errors: see {@link AccountThreepids};
 * M_MISSING_PARAM, M_SERVER_NOT_TRUSTED.
 */
@RestController
class ThreepidApi {
    private static final Map<String, String> SUCCESS = Map.of("id_server_unbind_result", "success");
    private static final Map<String, String> NO_SUPPORT = Map.of("id_server_unbind_result", "no-support");

    private final Interactive interactive;
    private final AccountThreepids account;
    private final Threepids threepids;
    private final TenantUrls urls;

    ThreepidApi(Interactive interactive, AccountThreepids account, Threepids threepids, TenantUrls urls) {
        this.interactive = interactive;
        this.account = account;
        this.threepids = threepids;
        this.urls = urls;
    }

    @GetMapping("/_api/client/v3/account/3pid")
    Mono<ThreepidsAnswer> all(Caller caller) {
        return of(caller.tenant(), caller.user());
    }

    /** The addresses of a user, for admin-service; empty for an unknown user. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/threepids")
    Mono<ThreepidsAnswer> ofUser(@RequestBody UserRequest request) {
        return of(request.tenant, request.user);
    }

    private Mono<ThreepidsAnswer> of(TenantId tenant, UserId user) {
        return threepids.of(tenant, user).map(Entry::of).collectList().map(ThreepidsAnswer::new);
    }

    record UserRequest(TenantId tenant, UserId user) {}

    @PostMapping("/_api/client/v3/account/3pid")
    Mono<ResponseEntity<Object>> add(Caller caller, JsonBody body) {
        var nested = Credentials.object(body, "three_pid_creds", "threePidCreds");
        var fields = nested == null ? body : nested;
        if (body.has("auth")) {
            var flat = fields.json().deepCopy();
            flat.set("auth", body.json().get("auth"));
            return addAuthenticated(caller, new JsonBody(flat));
        }
        return account.add(caller, Credentials.of(fields)).thenReturn(ResponseEntity.ok(Map.of()));
    }

    /** Validates the request before the challenge asks for a password. */
    @PostMapping("/_api/client/v3/account/3pid/add")
    Mono<ResponseEntity<Object>> addAuthenticated(Caller caller, JsonBody body) {
        if (!body.has("auth")) {
            var _ = Credentials.of(body);
        }
        account.requireChanges(caller.tenant());
        return interactive.guarded(
                caller,
                Operation.ADD_THREEPID,
                Flows.PASSWORD,
                body,
                passed -> account.add(caller, passed).map(_ -> Map.of()));
    }

    @PostMapping("/_api/client/v3/account/3pid/delete")
    Mono<Map<String, String>> delete(Caller caller, JsonBody body) {
        var threepid = Addresses.find(body.string("medium"), body.string("address"));
        account.requireChanges(caller.tenant());
        var deleted = threepid == null ? Mono.<Void>empty() : account.delete(caller, threepid);
        return deleted.thenReturn(NO_SUPPORT);
    }

    @PostMapping("/_api/client/v3/account/3pid/bind")
    Mono<Map<String, Object>> bind(Caller caller, JsonBody body) {
        var credentials = Credentials.of(body);
        String server = body.optionalString("id_server");
        if (server != null && !urls.isOwn(caller.tenant(), server)) {
            throw new ApiException(
                    ErrorCode.M_SERVER_NOT_TRUSTED, "there is no other identity server than this server itself");
        }
        return account.bind(caller, credentials).thenReturn(Map.of());
    }

    @PostMapping("/_api/client/v3/account/3pid/unbind")
    Mono<Map<String, String>> unbind(Caller caller, JsonBody body) {
        var threepid = Addresses.find(body.string("medium"), body.string("address"));
        return threepid == null
                ? Mono.just(NO_SUPPORT)
                : threepids
                        .setBound(caller.tenant(), caller.user(), threepid, false)
                        .map(wasBound -> wasBound ? SUCCESS : NO_SUPPORT);
    }

    record ThreepidsAnswer(List<Entry> threepids) {}

    /** Times in ms. */
    record Entry(
            String medium,
            String address,
            @JsonProperty("validated_at") long validatedAt,
            @JsonProperty("added_at") long addedAt) {
        static Entry of(ThreepidRow row) {
            return new Entry(
                    row.threepid().medium().text,
                    row.threepid().address(),
                    row.validatedAt().toEpochMilli(),
                    row.addedAt().toEpochMilli());
        }
    }
}
