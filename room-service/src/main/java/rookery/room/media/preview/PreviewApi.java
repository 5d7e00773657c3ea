// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import tools.jackson.databind.node.ObjectNode;

/** Previews of URLs (contract.md 13.4), where switched on. */
@RestController
class PreviewApi {
    private final Previewer previewer;
    private final PreviewProperties properties;
    private final Tenants tenants;

    PreviewApi(Previewer previewer, PreviewProperties properties, Tenants tenants) {
        this.previewer = previewer;
        this.properties = properties;
        this.tenants = tenants;
    }

    /**
     * The page's Open Graph properties. M_UNRECOGNIZED where previews are switched off; M_INVALID_PARAM; M_NOT_FOUND for a page
     * that cannot be fetched; M_LIMIT_EXCEEDED, 503.
     *
     * @param ts preferred time of the preview; the answer may always be newer
     */
    @GetMapping({"/_api/client/v1/media/preview_url", "/_api/media/v3/preview_url"})
    Mono<ObjectNode> preview(
            Caller caller,
            @RequestParam(required = false) @Nullable String url,
            @RequestParam(required = false) @Nullable Long ts) {
        if (!tenants.setting(caller.tenant(), TenantSettings.URL_PREVIEWS, properties.enabled())) {
            throw new ApiException(ErrorCode.M_UNRECOGNIZED, "there are no previews of URLs here");
        }
        if (url == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, "url is the URL of a page");
        }
        return previewer.preview(caller, PageUrl.of(url));
    }
}
