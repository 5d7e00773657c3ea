// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.token.TokenOwner;
import rookery.platform.event.FilterReader;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;

/** Saves filters. The id is a hash of the content, so equal filters of a user share an id. */
@Component
class FilterSaver {
    private static final int ID_BYTES = 15; // 20 characters of base64
    private static final int CONTENT_BYTES_MAX = 65_536;
    private static final int FILTERS_MAX = 1000;

    private final Filters table;
    private final Clock clock;

    FilterSaver(Filters table, Clock clock) {
        this.table = table;
        this.clock = clock;
    }

    /** The id; 400 for an invalid filter, 413 for a large one. */
    Mono<String> save(TokenOwner owner, JsonBody body) {
        FilterReader.sync(body);
        String content = CanonicalJson.writeWithFloats(body.json());
        if (content.getBytes(StandardCharsets.UTF_8).length > CONTENT_BYTES_MAX) {
            return Mono.error(new ApiException(ErrorCode.M_TOO_LARGE, "a filter has at most 64 KiB"));
        }
        String id = id(content);
        return table.save(owner, id, content, FILTERS_MAX, clock.millis())
                .then(table.find(owner, id))
                .switchIfEmpty(Mono.error(FilterSaver::tooMany))
                .thenReturn(id);
    }

    private static ApiException tooMany() {
        return new ApiException(
                ErrorCode.M_INVALID_PARAM, "this user has saved " + FILTERS_MAX + " filters, use one of them or none");
    }

    private static String id(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash, ID_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
