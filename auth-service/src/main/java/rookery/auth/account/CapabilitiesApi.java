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

    private final Map<String, Object> forUsers = forUsers();
    private final Map<String, Object> forAdmins = forAdmins();

    @GetMapping("/_api/client/v3/capabilities")
    Map<String, Object> capabilities(Caller caller) {
        var known = caller.known();
        return Map.of("capabilities", known != null && known.admin() ? forAdmins : forUsers);
    }

    private static Map<String, Object> forUsers() {
        var all = new LinkedHashMap<String, Object>();
        all.put("m.change_password", ON);
        all.put("m.room_versions", Map.of("default", "11", "available", Map.of("11", "stable")));
        all.put("m.set_displayname", ON);
        all.put("m.set_avatar_url", ON);
        all.put("m.3pid_changes", ON);
        all.put("m.profile_fields", ON);
        all.put("m.get_login_token", ON);
        all.put("m.forget_forced_upon_leave", OFF);
        return all;
    }

    private static Map<String, Object> forAdmins() {
        var all = new LinkedHashMap<>(forUsers());
        all.put("m.account_moderation", Map.of("lock", true));
        return all;
    }
}
