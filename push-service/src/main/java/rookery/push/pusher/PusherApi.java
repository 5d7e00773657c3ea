// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The endpoints for a user's pushers (contract.md 12.6). */
@RestController
class PusherApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Map<String, Object> NOTHING = Map.of();

    private final Pushers pushers;
    private final PusherReader reader;

    PusherApi(Pushers pushers, PusherReader reader) {
        this.pushers = pushers;
        this.reader = reader;
    }

    /** The pushers of all of the caller's devices, in the order of their creation. */
    @GetMapping("/_api/client/v3/pushers")
    Mono<PushersAnswer> all(Caller caller) {
        return pushers.of(caller.tenant(), caller.user())
                .map(all -> new PushersAnswer(all.stream().map(PusherApi::shown).toList()));
    }

    /**
     * Sets the pusher, or deletes the pusher if {@code kind} is null. Unless {@code append} is true, other users' pushers with
     * the same {@code app_id} and {@code pushkey} in the tenant are deleted.
     */
    @PostMapping({"/_api/client/v3/pushers", "/_api/client/v3/pushers/set"})
    Mono<Map<String, Object>> set(Caller caller, JsonBody body) {
        var done = PusherReader.isDeletion(body)
                ? pushers.unset(caller.tenant(), caller.user(), PusherReader.key(body))
                : pushers.set(reader.pusher(caller, body), body.boolOr("append", false));
        return done.thenReturn(NOTHING);
    }

    /** Deletes the caller's pushers with that pushkey, of one app or of all; 404 if none exists. */
    @DeleteMapping("/_api/client/v3/pushers/{pushkey}")
    Mono<Map<String, Object>> delete(
            @PathVariable String pushkey,
            @RequestParam(name = "app_id", required = false) @Nullable String appId,
            Caller caller) {
        return pushers.delete(caller.tenant(), caller.user(), pushkey, appId).thenReturn(NOTHING);
    }

    private static JsonNode shown(Pusher pusher) {
        var shown = (ObjectNode) JSON.readTree(pusher.described());
        return shown.put("pushkey", pusher.key().pushkey())
                .put("kind", "http")
                .put("app_id", pusher.key().appId())
                .put("url", pusher.url().toString());
    }

    record PushersAnswer(List<JsonNode> pushers) {}
}
