package rookery.gateway.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.UserId;

/**
 * The users of the access tokens that this gateway has seen to be good. The limiter counts by it where Redis holds no session for the
 * moment, before auth-service is asked; nobody is let in by it, because a token may have ended since.
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

    /** The user, or null if the token is not known here. */
    public @Nullable UserId of(TokenHash token) {
        return owners.getIfPresent(token);
    }

    public void remember(TokenHash token, UserId user) {
        if (!user.equals(owners.getIfPresent(token))) {
            owners.put(token, user);
        }
    }

    /** The token is nobody's any more. */
    public void forget(TokenHash token) {
        owners.invalidate(token);
    }
}
