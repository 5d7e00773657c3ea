// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;

/** {@code GET /v3/keys/changes} (contract.md 13.5). */
@RestController
class KeyChangesApi {
    private final TokenCodec tokens;
    private final KeyChangesReader reader;

    KeyChangesApi(TokenCodec tokens, KeyChangesReader reader) {
        this.tokens = tokens;
        this.reader = reader;
    }

    /** M_MISSING_PARAM without both tokens, M_INVALID_PARAM for a token that is no {@code next_batch} of the caller. */
    @GetMapping("/_api/client/v3/keys/changes")
    Mono<DeviceLists> changes(
            Caller caller,
            @RequestParam(required = false) @Nullable String from,
            @RequestParam(required = false) @Nullable String to) {
        var owner = new TokenOwner(caller.tenant(), caller.user());
        var since = tokens.readSync(required(from, "from"), owner);
        var upto = tokens.readSync(required(to, "to"), owner);
        return reader.between(owner, caller.device(), since, upto);
    }

    private static String required(@Nullable String token, String name) {
        if (token == null) {
            throw new ApiException(ErrorCode.M_MISSING_PARAM, name + " is missing");
        }
        return token;
    }
}
