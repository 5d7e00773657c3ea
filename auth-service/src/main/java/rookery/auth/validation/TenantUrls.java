// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidPolicies;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The tenant's public URLs, and the check of redirect targets. */
@Component
class TenantUrls {
    private static final int LINK_CHARS_MAX = 2048;

    private final PublicUrlProperties urls;
    private final Tenants tenants;
    private final ThreepidPolicies policies;

    TenantUrls(PublicUrlProperties urls, Tenants tenants, ThreepidPolicies policies) {
        this.urls = urls;
        this.tenants = tenants;
        this.policies = policies;
    }

    private URI base(TenantId tenant) {
        var own = tenants.setting(tenant, TenantSettings.PUBLIC_URL);
        if (own != null) {
            return own;
        }
        var found = tenants.find(tenant);
        return urls.base(
                found == null ? "" : Tenants.canonical(found.serverName().value()));
    }

    /** The URL for submitting a token of the medium. */
    String submission(TenantId tenant, Medium medium) {
        String base = base(tenant).toString();
        String trimmed = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        return trimmed + "/_api/client/v3/validate/" + medium.text + "/submitToken";
    }

    /** The link in a mail. The redirect target is not part of the link, so nobody can replace it. */
    String link(TenantId tenant, Credentials credentials, String token) {
        return submission(tenant, Medium.EMAIL) + "?sid=" + encoded(credentials.sid()) + "&client_secret="
                + encoded(credentials.clientSecret()) + "&token=" + encoded(token);
    }

    /** The URL in ASCII; M_INVALID_PARAM unless it is https and its host is trusted. */
    String requireTrusted(TenantId tenant, String link) {
        var url = parsed(link);
        if (url == null || !isSecure(url) || !trustedHosts(tenant).contains(host(url))) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "next_link must be an https URL of this server or of a trusted host");
        }
        return url.toASCIIString();
    }

    /** True if the host is one of the tenant's own. */
    boolean isOwn(TenantId tenant, String host) {
        return ownHosts(tenant).contains(Tenants.canonical(host));
    }

    private Set<String> trustedHosts(TenantId tenant) {
        var hosts = ownHosts(tenant);
        policies.of(tenant).nextLinkHosts().forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
        return hosts;
    }

    private Set<String> ownHosts(TenantId tenant) {
        var hosts = new HashSet<>(tenants.hosts(tenant));
        hosts.add(host(base(tenant)));
        return hosts;
    }

    private static boolean isSecure(URI url) {
        return "https".equalsIgnoreCase(url.getScheme()) && url.getHost() != null && url.getRawUserInfo() == null;
    }

    private static String host(URI url) {
        String host = url.getHost();
        return host == null ? "" : host.toLowerCase(Locale.ROOT);
    }

    private static @Nullable URI parsed(String link) {
        try {
            return link.length() > LINK_CHARS_MAX ? null : new URI(link);
        } catch (URISyntaxException _) {
            return null;
        }
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
