// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import org.jspecify.annotations.Nullable;
import rookery.gateway.ratelimit.Windows.LoneCount;
import rookery.model.id.UserId;

/**
 * A request and its tenant's rate limit at arrival. The request is counted once, by Redis or by this process, depending on which
 * is first.
 */
public final class CountedRequest {
    private static final String OF_WRONG_TOKENS = "wrong:";

    final Limit limit;
    final boolean isOwners;
    /** The common prefix of all window keys of this tenant. */
    final String prefix;

    private final String address;
    /** The key of the window; null while the token's user is unknown. */
    @Nullable
    String window;

    @Nullable
    Verdict verdict;

    /** The number of requests that the question to Redis counts, this request and permits; 0 before the question. */
    int asked;

    /** The time before the question, by the clock of this process. */
    long askedAt;

    @Nullable
    LoneCount alone;

    private CountedRequest(int tenant, Limit limit, ClientAddress address, boolean isOwners) {
        this.limit = limit;
        this.isOwners = isOwners;
        this.prefix = "rl:" + tenant + ":" + limit.version() + ":";
        this.address = address.counted();
    }

    static CountedRequest ofAddress(int tenant, Limit limit, ClientAddress address) {
        var request = new CountedRequest(tenant, limit, address, false);
        request.window = request.prefix + request.address;
        return request;
    }

    /**
     * A request, counted in a window of all requests of its tenant, or of its costly ones.
     *
     * @param which the name of the window
     */
    static CountedRequest ofTenant(int tenant, long perSecond, String which, ClientAddress address) {
        var request = new CountedRequest(tenant, Limit.ofTenant(perSecond), address, false);
        request.window = request.prefix + which + ":" + perSecond; // a changed limit begins a new window
        return request;
    }

    static CountedRequest ofWrongToken(int tenant, Limit limit, ClientAddress address) {
        var request = new CountedRequest(tenant, limit, address, false);
        request.window = request.wrongTokens();
        return request;
    }

    /** A request with a token; {@code noted} is the token's user according to {@code TokenOwners}, or null. */
    static CountedRequest ofOwner(int tenant, Limit limit, ClientAddress address, @Nullable UserId noted) {
        var request = new CountedRequest(tenant, limit, address, true);
        request.window = noted == null ? null : request.of(noted);
        return request;
    }

    String of(UserId user) {
        return prefix + user.value();
    }

    String wrongTokens() {
        return prefix + OF_WRONG_TOKENS + address;
    }
}
