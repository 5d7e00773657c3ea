// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
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
import rookery.admin.media.MediaClient;
import rookery.admin.media.MediaClient.Filter;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.MediaId;
import rookery.model.id.UserId;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.ListOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Uploaded files (contract.md 5.7). Errors: M_FORBIDDEN for other users before any lookup, M_INVALID_PARAM for files and users of
 * other servers, M_NOT_FOUND.
 */
@RestController
@Access(Level.ADMIN)
@RequestMapping("/_synapse/admin/v1")
class SynapseMediaApi {
    private static final Map<String, ListOrder> ORDERS = Map.of(
            "created_ts", new ListOrder("created_ts", false),
            "media_length", new ListOrder("size", false));

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final OffsetDocument MEDIA =
            new OffsetDocument("media", "total", "next_token", null, false, SynapseMediaApi::shape);

    private final MediaClient media;
    private final OffsetLists lists;
    private final Audit audit;

    SynapseMediaApi(MediaClient media, OffsetLists lists, Audit audit) {
        this.media = media;
        this.lists = lists;
        this.audit = audit;
    }

    @GetMapping("/users/{userId}/media")
    Flux<String> ofUser(Caller caller, @PathVariable String userId, @RequestParam MultiValueMap<String, String> query) {
        var page = OffsetQuery.of(query);
        var lines = lists.media(of(caller, Local.user(caller, userId)), page, OffsetQuery.order(query, ORDERS));
        return audit.recorded(caller, "list media", userId, MEDIA.of(page, lines));
    }

    private static Filter of(Caller caller, UserId uploader) {
        return new Filter(caller.tenant(), uploader, null, null);
    }

    private static ObjectNode shape(JsonNode file) {
        var shape = JsonNodeFactory.instance.objectNode();
        shape.set("media_id", file.path("media_id"));
        shape.set("media_type", file.path("type"));
        shape.set("media_length", file.path("size"));
        shape.set("upload_name", file.path("name"));
        shape.set("created_ts", file.path("created_ts"));
        return shape.putNull("last_access_ts")
                .put("quarantined_by", file.path("quarantined").booleanValue(false) ? "an administrator" : null)
                .put("safe_from_quarantine", false);
    }

    /** Deletes a page of the user's files, usually the newest first; without {@code limit} a hundred. */
    @DeleteMapping("/users/{userId}/media")
    Mono<DeletedMedia> deleteOfUser(
            Caller caller, @PathVariable String userId, @RequestParam MultiValueMap<String, String> query) {
        requireKnownOrder(query);
        var page = OffsetQuery.of(query);
        return lists.media(of(caller, Local.user(caller, userId)), page, OffsetQuery.order(query, ORDERS))
                .map(JSON::readTree)
                .filter(line -> line.has("media_id"))
                .map(line -> new MediaId(line.path("media_id").stringValue()))
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(file -> deleted(caller, file))
                .collectList()
                .map(DeletedMedia::of);
    }

    /** M_INVALID_PARAM for an order that this list does not have, because other files would be deleted. */
    private static void requireKnownOrder(MultiValueMap<String, String> query) {
        var by = query.getFirst("order_by");
        if (by == null ? query.getFirst("dir") != null : !ORDERS.containsKey(by)) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "order_by is one of " + ORDERS.keySet() + ", and dir needs order_by");
        }
    }

    /** The deleted file; empty if another request has deleted the file. */
    private Mono<String> deleted(Caller caller, MediaId file) {
        return audit.recorded(caller, "delete media", file.value(), media.delete(caller.tenant(), file))
                .thenReturn(file.value())
                .onErrorResume(
                        failure -> failure instanceof ApiException refusal && refusal.code == ErrorCode.M_NOT_FOUND,
                        _ -> Mono.empty());
    }

    @GetMapping("/media/{server}/{mediaId}")
    Mono<ObjectNode> file(Caller caller, @PathVariable String server, @PathVariable String mediaId) {
        var id = local(caller, server, mediaId);
        return audit.recorded(caller, "see media", mediaId, media.find(caller.tenant(), id))
                .map(file -> {
                    var answer = JsonNodeFactory.instance.objectNode();
                    var info = shape(file);
                    info.set("user_id", file.path("user_id"));
                    info.set("sha256", file.path("sha256"));
                    answer.set("media_info", info.putNull("media_origin"));
                    return answer;
                });
    }

    @DeleteMapping("/media/{server}/{mediaId}")
    Mono<DeletedMedia> delete(Caller caller, @PathVariable String server, @PathVariable String mediaId) {
        var id = local(caller, server, mediaId);
        return audit.recorded(caller, "delete media", mediaId, media.delete(caller.tenant(), id))
                .thenReturn(DeletedMedia.of(List.of(mediaId)));
    }

    /** Hides the file and every other file of the tenant with the same content. */
    @PostMapping("/media/quarantine/{server}/{mediaId}")
    Mono<Map<String, String>> quarantine(Caller caller, @PathVariable String server, @PathVariable String mediaId) {
        var act = media.quarantine(caller.tenant(), local(caller, server, mediaId), true);
        return audit.recorded(caller, "quarantine media", mediaId, act).thenReturn(Map.of());
    }

    @PostMapping("/media/unquarantine/{server}/{mediaId}")
    Mono<Map<String, String>> unquarantine(Caller caller, @PathVariable String server, @PathVariable String mediaId) {
        var act = media.quarantine(caller.tenant(), local(caller, server, mediaId), false);
        return audit.recorded(caller, "unquarantine media", mediaId, act).thenReturn(Map.of());
    }

    /** Hides all files of the user, and every other file of the tenant with the content of one of them. */
    @PostMapping("/user/{userId}/media/quarantine")
    Mono<Map<String, Long>> quarantineOfUser(Caller caller, @PathVariable String userId) {
        var act = media.quarantineAll(caller.tenant(), Local.user(caller, userId));
        return audit.recorded(caller, "quarantine media of user", userId, act)
                .map(answer -> Map.of("num_quarantined", answer.path("number").longValue()));
    }

    private static MediaId local(Caller caller, String server, String mediaId) {
        if (!server.equals(caller.server().value())) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this file is not local");
        }
        return new MediaId(mediaId);
    }

    record DeletedMedia(@JsonProperty("deleted_media") List<String> deleted, int total) {
        static DeletedMedia of(List<String> deleted) {
            return new DeletedMedia(deleted, deleted.size());
        }
    }
}
