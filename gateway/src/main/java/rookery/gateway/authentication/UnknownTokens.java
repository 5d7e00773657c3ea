package rookery.gateway.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;

/**
 * The tokens of which auth-service has just said that they are nobody's, so that a client that goes on with one costs a single question
 * in a while. A token is made at random by auth-service and given out after its commit, so one that is nobody's was never good or is not
 * any more; should auth-service be mistaken, as on a database that lags behind, its mistake lasts {@link #LIFE} longer. Only that one
 * answer is remembered: no failure, and neither expired nor locked sessions, of which auth-service tells more.
 */
final class UnknownTokens {
    static final Duration LIFE = Duration.ofSeconds(5);

    /** Of more than these the rarest are forgotten, and asked about again. */
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
