package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** One tenant's number inside the installation; clients never see it, they see the {@link ServerName}. */
public record TenantId(@JsonValue int value) {}
