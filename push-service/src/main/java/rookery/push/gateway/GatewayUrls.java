// SPDX-License-Identifier: Apache-2.0
package rookery.push.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.egress.HostNames;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * Checks gateway URLs from clients (contract.md 12.6, 12.7). Only the text is checked here. DNS may resolve a name to any address
 * and change later, so addresses are checked when a push is sent.
 */
@Component
public class GatewayUrls {
    private static final int BYTES_MAX = 2048;

    private final GatewayProperties properties;
    private final Tenants tenants;

    GatewayUrls(GatewayProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    /**
     * M_INVALID_PARAM unless the text is an https URL without user info, outside of private networks, with a host to which the
     * tenant's pushes may go.
     */
    public GatewayUrl checked(TenantId tenant, String text) {
        require(text.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX, "it is longer than " + BYTES_MAX + " bytes");
        var uri = parsed(text);
        requireScheme(uri.getScheme());
        require(uri.getHost() != null, "it names no host");
        require(uri.getRawUserInfo() == null, "it names a user");
        require(uri.getRawFragment() == null, "it has a fragment");
        require(uri.getPort() == -1 || (uri.getPort() > 0 && uri.getPort() < 1 << 16), "there is no such port");
        requireHost(uri.getHost());
        requirePermitted(tenant, uri.getHost());
        return new GatewayUrl(uri);
    }

    private static URI parsed(String text) {
        // URI accepts half a surrogate pair, and has no ASCII form for one
        require(
                text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE),
                "it is no URL");
        try {
            return URI.create(new URI(text).toASCIIString());
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw invalid("it is no URL");
        }
    }

    private void requireScheme(String scheme) {
        boolean isAllowed =
                "https".equalsIgnoreCase(scheme) || (properties.allowHttp() && "http".equalsIgnoreCase(scheme));
        require(isAllowed, properties.allowHttp() ? "it is neither https nor http" : "it is not https");
    }

    private void requireHost(String host) {
        String objection = HostNames.objection(host, properties.allowPrivate());
        if (objection != null) {
            throw invalid(objection);
        }
    }

    private void requirePermitted(TenantId tenant, String host) {
        var permitted = tenants.setting(tenant, TenantSettings.PUSH_GATEWAYS);
        require(
                permitted == null || permitted.stream().anyMatch(host::equalsIgnoreCase),
                "this server's pushes go to other hosts only");
    }

    private static void require(boolean fulfilled, String reason) {
        if (!fulfilled) {
            throw invalid(reason);
        }
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, "the url cannot be a push gateway's: " + reason);
    }
}
