// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.directory.person.UserDirectory.UserResult;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** {@code POST /user_directory/search} (contract.md 6). */
@RestController
class UserSearchApi {
    private static final int TERM_MAX = 256;
    private static final int LIMIT = 10;
    private static final int LIMIT_MAX = 100;

    private final UserDirectory directory;
    private final UserDirectoryProperties properties;
    private final Tenants tenants;

    UserSearchApi(UserDirectory directory, UserDirectoryProperties properties, Tenants tenants) {
        this.directory = directory;
        this.properties = properties;
        this.tenants = tenants;
    }

    /**
     * Body {@code {"search_term", "limit"?}}. The term is the beginning of words of the display name or any part of the user
     * name. M_MISSING_PARAM without a term, M_INVALID_PARAM for a term of more than 256 characters and for a limit under 1.
     */
    @PostMapping("/_api/client/v3/user_directory/search")
    Mono<Results> search(Caller caller, JsonBody body) {
        var term = body.string("search_term");
        if (term.length() > TERM_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "search for at most " + TERM_MAX + " characters");
        }
        int limit = limit(body);
        boolean all = tenants.setting(caller.tenant(), TenantSettings.USER_DIRECTORY_ALL, properties.all());
        return directory
                .search(caller.tenant(), caller.server(), caller.user(), term.strip(), all, limit)
                .map(matches -> new Results(matches.users(), matches.limited()));
    }

    private static int limit(JsonBody body) {
        var requested = body.optionalInteger("limit");
        if (requested == null) {
            return LIMIT;
        }
        if (requested < 1) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "limit is at least 1");
        }
        return (int) Math.min(requested, LIMIT_MAX);
    }

    record Results(List<UserResult> results, boolean limited) {
        Results {
            results = List.copyOf(results);
        }
    }
}
