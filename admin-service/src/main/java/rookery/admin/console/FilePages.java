// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.media.MediaAdministrationApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The uploaded files, of all users or of one, with quarantine and deletion. */
@RestController
@Access(Level.ADMIN)
@RequestMapping(ConsoleCookie.PATH + "/media")
class FilePages {
    private final MediaAdministrationApi media;
    private final Pages pages;

    FilePages(MediaAdministrationApi media, Pages pages) {
        this.media = media;
        this.pages = pages;
    }

    /** The search is for the user id of the uploader. */
    @GetMapping
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        var user = ListPage.value(asked, "search").strip();
        query.remove("search");
        if (!user.isEmpty()) {
            query.add("user_id", user);
        }
        var filter = ListPage.value(asked, "filter");
        if (filter.equals("quarantined")) {
            query.add("quarantined", "true");
        }
        return ListPage.read(media.list(caller, query), FileList.class)
                .map(list -> pages.page(exchange, "media", ListPage.model(list, asked, "created_ts", "b")));
    }

    @GetMapping("/{mediaId}")
    Mono<ResponseEntity<String>> show(Caller caller, @PathVariable String mediaId, ServerWebExchange exchange) {
        return media.find(caller, mediaId)
                .map(found -> pages.page(exchange, "file", Map.of("file", ListPage.as(found, File.class))));
    }

    @PostMapping("/{mediaId}/{act}")
    Mono<ResponseEntity<String>> act(Caller caller, @PathVariable String mediaId, @PathVariable String act) {
        var page = PageTexts.INSTANCE.path("media", mediaId);
        return switch (act) {
            case "quarantine" -> media.quarantine(caller, mediaId).thenReturn(Pages.to(page, "quarantined"));
            case "unquarantine" -> media.unquarantine(caller, mediaId).thenReturn(Pages.to(page, "unquarantined"));
            case "delete" ->
                media.delete(caller, mediaId).thenReturn(Pages.to(ConsoleCookie.PATH + "/media", "deleted"));
            default -> throw Pages.unknown();
        };
    }

    /** A page of files. */
    record FileList(
            long total,
            List<File> media,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** An uploaded file (contract.md 5.2). */
    record File(
            @JsonProperty("media_id") String mediaId,
            @JsonProperty("user_id") @Nullable String userId,
            @JsonProperty("created_ts") @Nullable Long createdAt,
            long size,
            @Nullable String type,
            @Nullable String name,
            boolean quarantined) {}
}
