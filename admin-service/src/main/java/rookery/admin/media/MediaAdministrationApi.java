// SPDX-License-Identifier: Apache-2.0
package rookery.admin.media;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.Local;
import rookery.admin.audit.Audit;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.media.MediaClient.Filter;
import rookery.model.caller.Caller;
import rookery.model.id.MediaId;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import tools.jackson.databind.JsonNode;

/**
 * The uploaded files, for administrators of the tenant (contract.md 5.2, 5.3). Errors: M_FORBIDDEN for other users before any
 * lookup, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_api/client/v3/admin/media")
public class MediaAdministrationApi {
    private final MediaClient media;
    private final Audit audit;

    MediaAdministrationApi(MediaClient media, Audit audit) {
        this.media = media;
        this.audit = audit;
    }

    /**
     * All files, usually the newest first. {@code user_id} and {@code quarantined} filter the list, {@code limit} divides the list
     * into pages.
     */
    @GetMapping
    public Flux<String> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var filter = new Filter(caller.tenant(), uploader(caller, query), ListQuery.flag(query, "quarantined"), null);
        var lines = media.list(filter, ListQuery.of(query, "created_ts", "size"));
        return audit.recorded(caller, "list media", "", ListDocument.of("media", lines));
    }

    @GetMapping("/{mediaId}")
    public Mono<JsonNode> find(Caller caller, @PathVariable String mediaId) {
        return audit.recorded(caller, "see media", mediaId, media.find(caller.tenant(), new MediaId(mediaId)));
    }

    /** Hides the file and every other file of the tenant with the same content, including later uploads. Idempotent. */
    @PostMapping("/{mediaId}/quarantine")
    public Mono<Map<String, String>> quarantine(Caller caller, @PathVariable String mediaId) {
        return quarantine(caller, mediaId, true);
    }

    @PostMapping("/{mediaId}/unquarantine")
    public Mono<Map<String, String>> unquarantine(Caller caller, @PathVariable String mediaId) {
        return quarantine(caller, mediaId, false);
    }

    private Mono<Map<String, String>> quarantine(Caller caller, String mediaId, boolean quarantined) {
        var act = media.quarantine(caller.tenant(), new MediaId(mediaId), quarantined);
        return audit.recorded(caller, quarantined ? "quarantine media" : "unquarantine media", mediaId, act)
                .thenReturn(Map.of());
    }

    /** Deletes the file for all users; events that refer to the file stay. */
    @DeleteMapping("/{mediaId}")
    public Mono<Map<String, String>> delete(Caller caller, @PathVariable String mediaId) {
        var act = media.delete(caller.tenant(), new MediaId(mediaId));
        return audit.recorded(caller, "delete media", mediaId, act).thenReturn(Map.of());
    }

    private static @Nullable UserId uploader(Caller caller, MultiValueMap<String, String> query) {
        var user = query.getFirst("user_id");
        return user == null ? null : Local.user(caller, user);
    }
}
