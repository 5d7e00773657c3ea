// SPDX-License-Identifier: Apache-2.0
package rookery.auth.profile;

import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceName;
import tools.jackson.databind.node.JsonNodeFactory;

/** Changes profiles for admin-service, which has checked the caller's permissions (contract.md 5.7). */
@RestController
class ProfileAdministrationApi {
    private final ProfileEditor editor;

    ProfileAdministrationApi(ProfileEditor editor) {
        this.editor = editor;
    }

    /** M_NOT_FOUND for unknown and deactivated users, M_INVALID_PARAM for an unusable value. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/profile")
    Mono<Map<String, Object>> set(@RequestBody FieldChange change) {
        var body = new JsonBody(JsonNodeFactory.instance.objectNode().put(change.key, change.value));
        var value = FieldRules.value(change.key, body);
        FieldRules.requireMeaning(change.key, body);
        return editor.set(change.tenant, change.user, change.key, value).thenReturn(Map.of());
    }

    /** @param value an empty text clears the field */
    record FieldChange(TenantId tenant, UserId user, String key, String value) {}
}
