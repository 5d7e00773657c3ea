// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.auth.threepid.ThreepidPolicies;
import rookery.model.caller.Caller;
import rookery.model.event.RoomVersion;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Tenants;

/** The capabilities of the server (contract.md 13.1). */
@RestController
class CapabilitiesApi {
    private static final Map<String, Object> ON = Map.of("enabled", true);
    private static final Map<String, Object> OFF = Map.of("enabled", false);

    private final LoginTokenSettings loginTokens;
    private final ThreepidPolicies threepids;
    private final Tenants tenants;

    CapabilitiesApi(LoginTokenSettings loginTokens, ThreepidPolicies threepids, Tenants tenants) {
        this.loginTokens = loginTokens;
        this.threepids = threepids;
        this.tenants = tenants;
    }

    @GetMapping("/_api/client/v3/capabilities")
    Map<String, Object> capabilities(Caller caller) {
        var login = caller.known();
        var all = forUsers(caller.tenant());
        if (login != null && login.admin()) {
            all.put("m.account_moderation", Map.of("suspend", true, "lock", true));
        }
        return Map.of("capabilities", all);
    }

    private Map<String, Object> forUsers(TenantId tenant) {
        var all = new LinkedHashMap<String, Object>();
        all.put("m.change_password", ON);
        all.put("m.room_versions", Map.of("default", tenants.roomVersion(tenant).id, "available", available()));
        all.put("m.set_displayname", ON);
        all.put("m.set_avatar_url", ON);
        all.put("m.3pid_changes", threepids.of(tenant).changes() ? ON : OFF);
        all.put("m.profile_fields", ON);
        all.put("m.get_login_token", loginTokens.isEnabled(tenant) ? ON : OFF);
        all.put("m.forget_forced_upon_leave", OFF);
        return all;
    }

    private static Map<String, String> available() {
        return Stream.of(RoomVersion.values()).collect(Collectors.toMap(version -> version.id, _ -> "stable"));
    }
}
