// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.UserId;

/**
 * The users of recently valid access tokens at this gateway. The rate limiter uses the user as a hint when Redis has no session
 * and auth-service has not answered yet. The hint never authenticates a request, because the session may have ended since.
 */
@Component
public class TokenOwners {
    private static final int MOST = 100_000;
    private static final Duration UNUSED = Duration.ofHours(1);

    private final Cache<TokenHash, UserId> owners = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterAccess(UNUSED)
            .executor(Runnable::run)
            .build();

    /** The user, or null for a token without entry. */
    public @Nullable UserId of(TokenHash token) {
        return owners.getIfPresent(token);
    }

    public void remember(TokenHash token, UserId user) {
        if (!user.equals(owners.getIfPresent(token))) {
            owners.put(token, user);
        }
    }

    /** Removes the entry of an ended session. */
    public void forget(TokenHash token) {
        owners.invalidate(token);
    }
}
