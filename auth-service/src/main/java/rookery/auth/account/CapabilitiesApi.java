package rookery.auth.account;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.caller.Caller;

/** What this server can do (CONTRACT.md 13.1). */
@RestController
class CapabilitiesApi {
    private static final Map<String, Object> ON = Map.of("enabled", true);
    private static final Map<String, Object> OFF = Map.of("enabled", false);

    private final LoginTokenProperties loginTokens;

    CapabilitiesApi(LoginTokenProperties loginTokens) {
        this.loginTokens = loginTokens;
    }

    @GetMapping("/_api/client/v3/capabilities")
    Map<String, Object> capabilities(Caller caller) {
        var known = caller.known();
        var all = forUsers(loginTokens.isEnabled(caller.tenant()));
        if (known != null && known.admin()) {
            all.put("m.account_moderation", Map.of("lock", true));
        }
        return Map.of("capabilities", all);
    }

    private static Map<String, Object> forUsers(boolean loginToken) {
        var all = new LinkedHashMap<String, Object>();
        all.put("m.change_password", ON);
        all.put("m.room_versions", Map.of("default", "11", "available", Map.of("11", "stable")));
        all.put("m.set_displayname", ON);
        all.put("m.set_avatar_url", ON);
        all.put("m.3pid_changes", ON);
        all.put("m.profile_fields", ON);
        all.put("m.get_login_token", loginToken ? ON : OFF);
        all.put("m.forget_forced_upon_leave", OFF);
        return all;
    }
}
