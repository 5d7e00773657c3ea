package rookery.room.media.download;

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

/**
 * Still thumbnails of PNG, JPEG and GIF (contract.md 13.4). Errors: M_NOT_FOUND, M_NOT_YET_UPLOADED; M_INVALID_PARAM for bad
 * parameters and for a file without a thumbnail; M_TOO_LARGE for a picture that would take too much memory.
 */
@RestController
class ThumbnailApi {
    private final MediaFinder finder;
    private final Thumbnailer thumbnailer;
    private final MediaAnswer answer;

    ThumbnailApi(MediaFinder finder, Thumbnailer thumbnailer, MediaAnswer answer) {
        this.finder = finder;
        this.thumbnailer = thumbnailer;
        this.answer = answer;
    }

    /** A picture of about the requested size, never larger than the file itself. */
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
