// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;

/**
 * Tokens that auth-service has recently answered as unknown, so that a client repeating such a token costs one question per
 * {@link #LIFE}. Tokens are random and auth-service issues them after its commit, so an unknown token was never valid or its
 * session has ended. If auth-service is wrong, for example on a lagging database replica, the error lasts {@link #LIFE} longer.
 * Failures, expired sessions and locked sessions are not cached, because their answers contain more.
 */
final class UnknownTokens {
    static final Duration LIFE = Duration.ofSeconds(5);

    /** Beyond this number the least used tokens are evicted and looked up again. */
    private static final int MOST = 20_000;

    private final Cache<TokenHash, Boolean> unknown;

    UnknownTokens(Ticker ticker) {
        unknown = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(LIFE)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    boolean contains(TokenHash token) {
        return unknown.getIfPresent(token) != null;
    }

    void add(TokenHash token) {
        unknown.put(token, true);
    }
}
