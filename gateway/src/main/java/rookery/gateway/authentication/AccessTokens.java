// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.Tenant;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** Reads the access token of a request (contract.md 2.3, D40). Only the hash of the token leaves this class. */
@Component
public class AccessTokens {
    private static final String SCHEME = "Bearer ";
    private static final String PARAMETER = "access_token=";

    private final AccessTokenProperties properties;
    private final Tenants tenants;

    AccessTokens(AccessTokenProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    /**
     * SHA-256 of the token in lowercase hex, or null if the request has no token; M_INVALID_PARAM for two Authorization headers,
     * because choosing one would be arbitrary.
     *
     * @param tenant of the request's host, or null
     */
    public @Nullable String hashOf(@Nullable Tenant tenant, HttpHeaders headers, @Nullable String rawQuery) {
        if (headers.getOrDefault(HttpHeaders.AUTHORIZATION, List.of()).size() > 1) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "send one Authorization header");
        }
        String header = headers.getFirst(HttpHeaders.AUTHORIZATION);
        String token = header == null ? fromQuery(tenant, rawQuery) : fromHeader(header);
        return token == null || token.isEmpty() ? null : sha256(token);
    }

    /** The query without access_token, as forwarded to services. */
    public static @Nullable String withoutToken(@Nullable String rawQuery) {
        if (rawQuery == null || !rawQuery.contains(PARAMETER)) {
            return rawQuery;
        }
        var kept = new StringBuilder(rawQuery.length());
        for (String parameter : rawQuery.split("&", -1)) {
            if (!parameter.startsWith(PARAMETER)) {
                kept.append(kept.isEmpty() ? "" : "&").append(parameter);
            }
        }
        return kept.isEmpty() ? null : kept.toString();
    }

    private static @Nullable String fromHeader(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? header.substring(SCHEME.length()).strip()
                : null;
    }

    private boolean mayBeInQuery(@Nullable Tenant tenant) {
        return tenant == null
                ? properties.inQuery()
                : tenants.setting(tenant.id(), TenantSettings.TOKEN_IN_QUERY, properties.inQuery());
    }

    private @Nullable String fromQuery(@Nullable Tenant tenant, @Nullable String rawQuery) {
        if (rawQuery == null || !rawQuery.contains(PARAMETER) || !mayBeInQuery(tenant)) {
            return null;
        }
        return Arrays.stream(rawQuery.split("&", -1))
                .filter(parameter -> parameter.startsWith(PARAMETER))
                .findFirst()
                .map(parameter -> URLDecoder.decode(parameter.substring(PARAMETER.length()), StandardCharsets.UTF_8))
                .orElse(null);
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
