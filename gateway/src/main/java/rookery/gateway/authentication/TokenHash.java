package rookery.gateway.authentication;

import rookery.model.id.TenantId;

/**
 * An access token, as far as it leaves {@link AccessTokens}.
 *
 * @param tenant the tenant whose host was asked
 * @param hex SHA-256 of the token in lower-case hex
 */
public record TokenHash(TenantId tenant, String hex) {}
