// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Support contacts; auth-service.yml explains every key.
 *
 * @param page the URL of the support page, or null
 */
@ConfigurationProperties("rookery.auth.support")
record SupportProperties(@Nullable URI page, @DefaultValue List<Contact> contacts) {
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

    /** The document in the specification's format. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Document(
            List<Contact> contacts,
            @JsonProperty("support_page") @Nullable URI page) {}

    /** The document of tenants without one of their own, or null if there is none. */
    @Nullable
    Document document() {
        return contacts.isEmpty() && page == null ? null : new Document(contacts, page);
    }
}
