// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.token.TokenOwner;
import rookery.platform.http.JsonBody;
import rookery.platform.json.JsonText;
import tools.jackson.databind.JsonNode;

/** Saved filters (contract.md 10.6). */
@RestController
class FilterApi {
    private final FilterSaver saver;
    private final Filters filters;

    FilterApi(FilterSaver saver, Filters filters) {
        this.saver = saver;
        this.filters = filters;
    }

    @PostMapping("/_api/client/v3/filter")
    Mono<JsonNode> save(Caller caller, JsonBody body) {
        return saver.save(owner(caller), body).map(id -> body.json().deepCopy().put("filter_id", id));
    }

    @PostMapping("/_api/client/v3/user/{userId}/filter")
    Mono<JsonNode> save(Caller caller, JsonBody body, @PathVariable String userId) {
        var saved = save(caller, body); // body errors come first: contract.md 2.2
        requireSelf(caller, userId);
        return saved;
    }

    @GetMapping("/_api/client/v3/filter/{filterId}")
    Mono<JsonText> filter(Caller caller, @PathVariable String filterId) {
        return filters.find(owner(caller), filterId)
                .map(JsonText::new)
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "no such filter")));
    }

    @GetMapping("/_api/client/v3/user/{userId}/filter/{filterId}")
    Mono<JsonText> filter(Caller caller, @PathVariable String userId, @PathVariable String filterId) {
        requireSelf(caller, userId);
        return filter(caller, filterId);
    }

    private static TokenOwner owner(Caller caller) {
        return new TokenOwner(caller.tenant(), caller.user());
    }

    private static void requireSelf(Caller caller, String userId) {
        if (!caller.user().value().equals(userId)) {
            throw new ApiException(ErrorCode.M_FORBIDDEN, "the filters of others are not yours");
        }
    }
}
