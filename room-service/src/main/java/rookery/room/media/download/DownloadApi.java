// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.room.media.UploadApi;

/**
 * Downloads, and still thumbnails of PNG, JPEG and GIF (contract.md 13.4). Errors: M_NOT_FOUND, also for files of other tenants
 * and other servers; M_NOT_YET_UPLOADED for a reserved id without a file.
 */
@RestController
class DownloadApi {
    private final MediaFinder finder;
    private final Thumbnailer thumbnailer;
    private final MediaAnswer answer;

    DownloadApi(MediaFinder finder, Thumbnailer thumbnailer, MediaAnswer answer) {
        this.finder = finder;
        this.thumbnailer = thumbnailer;
        this.answer = answer;
    }

    /** The file's bytes; {@code name} overrides the file name in the response. */
    @GetMapping({"/_api/client/v1/media/download/{server}/{id}", "/_api/client/v1/media/download/{server}/{id}/{name}"})
    Mono<Void> download(
            Caller caller,
            @PathVariable String server,
            @PathVariable String id,
            @PathVariable(required = false) @Nullable String name,
            @RequestParam(name = "timeout_ms", defaultValue = "20000") long timeoutMillis,
            ServerWebExchange exchange) {
        return finder.find(caller, server, id, timeoutMillis)
                .map(file -> name == null ? file : file.named(UploadApi.name(name)))
                .flatMap(file -> answer.send(exchange, caller.tenant(), file));
    }

    /** The same without a token, where the tenant allows that; otherwise M_NOT_FOUND. */
    @Access(Access.Level.NONE)
    @GetMapping({"/_api/media/v3/download/{server}/{id}", "/_api/media/v3/download/{server}/{id}/{name}"})
    Mono<Void> downloadWithoutToken(
            Caller caller,
            @PathVariable String server,
            @PathVariable String id,
            @PathVariable(required = false) @Nullable String name,
            @RequestParam(name = "timeout_ms", defaultValue = "20000") long timeoutMillis,
            ServerWebExchange exchange) {
        finder.requireOpenToAll(caller);
        return download(caller, server, id, name, timeoutMillis, exchange);
    }

    /**
     * A picture of about the requested size, never larger than the file itself. M_INVALID_PARAM for bad parameters and for a file
     * without a thumbnail; M_TOO_LARGE for a picture that would take too much memory.
     */
    @GetMapping("/_api/client/v1/media/thumbnail/{server}/{id}")
    Mono<Void> thumbnail(
            Caller caller,
            @PathVariable String server,
            @PathVariable String id,
            @RequestParam int width,
            @RequestParam int height,
            @RequestParam(defaultValue = "scale") String method,
            @RequestParam(name = "timeout_ms", defaultValue = "20000") long timeoutMillis,
            ServerWebExchange exchange) {
        var dimensions = dimensions(width, height, method);
        return finder.find(caller, server, id, timeoutMillis)
                .flatMap(file -> thumbnailer.of(caller.tenant(), file, dimensions, ClientConnection.of(exchange)))
                .flatMap(thumbnail -> answer.send(exchange, caller.tenant(), thumbnail));
    }

    /** The same without a token, where the tenant allows that; otherwise M_NOT_FOUND. */
    @Access(Access.Level.NONE)
    @GetMapping("/_api/media/v3/thumbnail/{server}/{id}")
    Mono<Void> thumbnailWithoutToken(
            Caller caller,
            @PathVariable String server,
            @PathVariable String id,
            @RequestParam int width,
            @RequestParam int height,
            @RequestParam(defaultValue = "scale") String method,
            @RequestParam(name = "timeout_ms", defaultValue = "20000") long timeoutMillis,
            ServerWebExchange exchange) {
        finder.requireOpenToAll(caller);
        return thumbnail(caller, server, id, width, height, method, timeoutMillis, exchange);
    }

    private static Dimensions dimensions(int width, int height, String method) {
        if (width < 1 || height < 1 || !(method.equals("crop") || method.equals("scale"))) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "width and height are at least 1, and method is crop or scale");
        }
        return Dimensions.of(width, height, method.equals("crop"));
    }
}
