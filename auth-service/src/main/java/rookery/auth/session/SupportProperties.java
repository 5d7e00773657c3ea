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
 * Who gives support, in general and by tenant; every key is explained in auth-service.yml.
 *
 * @param page of support, or null
 * @param tenants those of tenants, by their numbers, that have others: all of theirs
 */
@ConfigurationProperties("rookery.auth.support")
record SupportProperties(
        @Nullable URI page,
        @DefaultValue List<Contact> contacts,
        @DefaultValue Map<Integer, TenantSupport> tenants) {
    /** A contact: a user, an email address, or both. */
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

    /** Of one tenant. */
    record TenantSupport(@Nullable URI page, @DefaultValue List<Contact> contacts) {}

    /** The document of the standard. */
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
