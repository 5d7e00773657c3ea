package rookery.gateway.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * Whose the access tokens are that this gateway has seen to be good. The limiter chooses by it whom a request is counted for; nobody
 * is let in by it, because a token may have ended since. A token that is not here is counted for its address, so that guessed ones
 * are stopped before auth-service is asked about them.
 */
@Component
public class TokenOwners {
    private static final int MOST = 100_000;
    private static final Duration UNUSED = Duration.ofHours(1);

    private final Cache<Token, UserId> owners = Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterAccess(UNUSED)
            .executor(Runnable::run)
            .build();

    /** The user, or null if the token is not known here. */
    public @Nullable UserId of(TenantId tenant, String hash) {
        return owners.getIfPresent(new Token(tenant, hash));
    }

    public void remember(TenantId tenant, String hash, UserId user) {
        var token = new Token(tenant, hash);
        if (!user.equals(owners.getIfPresent(token))) {
            owners.put(token, user);
        }
    }

    private record Token(TenantId tenant, String hash) {}
}
