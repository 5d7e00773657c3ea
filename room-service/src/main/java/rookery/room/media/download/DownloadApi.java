package rookery.room.media.download;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.room.media.UploadApi;

/**
 * Downloads (contract.md 13.4). Errors: M_NOT_FOUND, also for files of other tenants and other servers; M_NOT_YET_UPLOADED for a
 * reserved id without a file.
 */
@RestController
class DownloadApi {
    private final MediaFinder finder;
    private final MediaAnswer answer;

    DownloadApi(MediaFinder finder, MediaAnswer answer) {
        this.finder = finder;
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
}
