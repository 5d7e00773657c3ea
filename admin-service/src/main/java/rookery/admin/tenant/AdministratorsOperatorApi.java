// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.user.AccountClient;
import rookery.admin.user.AccountClient.AccountQuery;
import rookery.admin.user.AccountClient.NewPassword;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.RegisteredTenant;

/** The administrators of a tenant, and passwords of its users, in the API of operators (contract.md 20). */
@Component
class AdministratorsOperatorApi implements OperatorRoutes {
    private static final String ADMINISTRATORS = "/operator/v1/tenants/{tenant}/administrators";
    private static final String ADMINISTRATOR = ADMINISTRATORS + "/{localpart}";
    private static final String PASSWORD = "/operator/v1/tenants/{tenant}/users/{localpart}/password";
    private static final int PASSWORD_BYTES = 18;

    private final TenantRegistry registry;
    private final AccountClient accounts;
    private final SecretMaker secrets;

    AdministratorsOperatorApi(TenantRegistry registry, AccountClient accounts, SecretMaker secrets) {
        this.registry = registry;
        this.accounts = accounts;
        this.secrets = secrets;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(ADMINISTRATORS, this::list)
                .POST(ADMINISTRATORS, this::create)
                .PUT(ADMINISTRATOR, request -> appoint(request, true))
                .DELETE(ADMINISTRATOR, request -> appoint(request, false))
                .POST(PASSWORD, this::resetPassword)
                .build();
    }

    private RegisteredTenant tenant(ServerRequest request) {
        return registry.findWithData(request.pathVariable("tenant"));
    }

    private Mono<ServerResponse> list(ServerRequest request) {
        var page = ListQuery.of(request.queryParams());
        var administrators =
                new AccountQuery(new TenantId(tenant(request).number()), page.search(), true, null, null, null, null);
        return OperatorApi.json(ListDocument.of("administrators", accounts.list(administrators, page)));
    }

    private Mono<ServerResponse> create(ServerRequest request) {
        var tenant = tenant(request);
        return OperatorApi.body(request).flatMap(body -> {
            var user = user(tenant, body.string("localpart"));
            var password = password(body, "password");
            OperatorGate.target(request, "/tenants/%d/administrators/%s".formatted(tenant.number(), user.localpart()));
            return accounts.createAdministrator(new TenantId(tenant.number()), user, password.value)
                    .then(Mono.defer(() -> OperatorApi.json(shown(user, password))));
        });
    }

    private Mono<ServerResponse> appoint(ServerRequest request, boolean admin) {
        var tenant = tenant(request);
        var user = user(tenant, request.pathVariable("localpart"));
        return accounts.setAdmin(new TenantId(tenant.number()), user, admin, null)
                .then(Mono.defer(() -> OperatorApi.json(shown(user, null))));
    }

    private Mono<ServerResponse> resetPassword(ServerRequest request) {
        var tenant = tenant(request);
        var user = user(tenant, request.pathVariable("localpart"));
        return OperatorApi.body(request).flatMap(body -> {
            var password = password(body, "new_password");
            var change = new NewPassword(password.value, body.boolOr("logout_devices", true));
            return accounts.setPassword(new TenantId(tenant.number()), user, change, null)
                    .then(Mono.defer(() -> OperatorApi.json(shown(user, password))));
        });
    }

    /** @param isGenerated whether the answer has to show the password, which nobody knows otherwise */
    private record Password(String value, boolean isGenerated) {
        @Override
        public String toString() {
            return "Password"; // logs must not contain passwords
        }
    }

    private Password password(JsonBody body, String field) {
        var given = body.optionalString(field);
        return given == null ? new Password(secrets.random(PASSWORD_BYTES), true) : new Password(given, false);
    }

    /** The user with this local part or complete id; M_INVALID_PARAM, also for an id of another server. */
    static UserId user(RegisteredTenant tenant, String name) {
        var server = new ServerName(tenant.serverName());
        var user = name.startsWith("@") ? new UserId(name) : UserId.of(name, server);
        if (!user.isOf(server)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this user is not of the tenant");
        }
        return user;
    }

    private static Map<String, Object> shown(UserId user, @Nullable Password password) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("user_id", user.value());
        if (password != null && password.isGenerated) {
            shown.put("password", password.value);
        }
        return shown;
    }
}
