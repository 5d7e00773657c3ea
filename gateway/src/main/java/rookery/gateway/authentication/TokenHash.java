package rookery.gateway.authentication;

import rookery.model.id.TenantId;

/**
 * The hash of an access token, which is used everywhere outside of {@link AccessTokens}.
 *
 * @param tenant the tenant of the requested host
 * @param hex SHA-256 of the token in lowercase hex
 */
public record TokenHash(TenantId tenant, String hex) {}
