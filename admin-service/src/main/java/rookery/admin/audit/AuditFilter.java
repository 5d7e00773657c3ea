// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import rookery.model.id.TenantId;

/** Filter of audit records; a null component matches every record of the tenant. */
record AuditFilter(
        TenantId tenant,
        @Nullable String actor,
        @Nullable String action,
        @Nullable String target) {
    static AuditFilter of(TenantId tenant, MultiValueMap<String, String> query) {
        return new AuditFilter(
                tenant, text(query.getFirst("actor")), text(query.getFirst("action")), text(query.getFirst("target")));
    }

    private static @Nullable String text(@Nullable String value) {
        return value == null || value.isBlank() ? null : value.strip().replace('\0', '\uFFFD');
    }
}
