// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * Support contacts, in general and by tenant; auth-service.yml explains every key.
 *
 * @param page the URL of the support page, or null
 * @param tenants page and contacts by tenant ID, which replace the general ones
 */
@ConfigurationProperties("rookery.auth.support")
record SupportProperties(
        @Nullable URI page,
        @DefaultValue List<Contact> contacts,
        @DefaultValue Map<Integer, TenantSupport> tenants) {
    /** A contact with a user ID, an email address, or both. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Contact(
            @DefaultValue("m.role.admin") String role,
            @JsonProperty("matrix_id") @Nullable String matrixId,
            @JsonProperty("email_address") @Nullable String emailAddress) {
        Contact {
            if (role.isBlank() || (matrixId == null && emailAddress == null)) {
                throw new IllegalArgumentException(
                        "rookery.auth.support.contacts: give each a role, such as m.role.admin, and a matrix-id or an email-address");
            }
        }
    }

    /** The support page and contacts of one tenant. */
    record TenantSupport(@Nullable URI page, @DefaultValue List<Contact> contacts) {}

    /** The document in the specification's format. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Document(
            List<Contact> contacts,
            @JsonProperty("support_page") @Nullable URI page) {}

    /** The tenant's document, or null if there is none. */
    @Nullable
    Document of(TenantId tenant) {
        var own = tenants.get(tenant.value());
        var document = own == null ? new Document(contacts, page) : new Document(own.contacts, own.page);
        return document.contacts.isEmpty() && document.page == null ? null : document;
    }
}
