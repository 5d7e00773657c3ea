package rookery.model.id;

/** A user of a tenant; a user id alone names nobody. */
public record TenantUser(TenantId tenant, UserId user) {}
