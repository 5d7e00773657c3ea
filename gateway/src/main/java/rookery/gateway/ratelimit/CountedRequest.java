package rookery.gateway.ratelimit;

import org.jspecify.annotations.Nullable;
import rookery.gateway.ratelimit.Windows.LoneCount;
import rookery.model.id.UserId;

/**
 * A request and the rate limit of its tenant at the moment of its arrival, by which Redis or this process counts the request. It is counted once, by Redis or by this process, whichever does
 * it first.
 */
public final class CountedRequest {
    private static final String OF_WRONG_TOKENS = "wrong:";

    final Limit limit;
    final boolean isOwners;
    /** How all keys of this tenant's windows begin. */
    private final String prefix;

    private final String address;
    /** The key of its window, or null while the owner of the token is not known. */
    @Nullable
    String window;

    @Nullable
    Verdict verdict;

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

    static CountedRequest ofWrongToken(int tenant, Limit limit, ClientAddress address) {
        var request = new CountedRequest(tenant, limit, address, false);
        request.window = request.wrongTokens();
        return request;
    }

    /** The request of the owner of a token, who may be noted. */
    static CountedRequest ofOwner(int tenant, Limit limit, ClientAddress address, @Nullable UserId noted) {
        var request = new CountedRequest(tenant, limit, address, true);
        request.window = noted == null ? null : request.of(noted);
        return request;
    }

    String prefix() {
        return prefix;
    }

    String of(UserId user) {
        return prefix + user.value();
    }

    String wrongTokens() {
        return prefix + OF_WRONG_TOKENS + address;
    }
}
