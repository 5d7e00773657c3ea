// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.runtime.BackgroundThreads;
import rookery.platform.runtime.Turnstile;

/**
 * Argon2id in a small thread pool with a bounded queue, in which tenants take turns: a flood of logins gets M_LIMIT_EXCEEDED and
 * slows nothing else, and a flood of one tenant delays the logins of another by one hash.
 */
@Component
public class PasswordHasher implements DisposableBean {
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int RETRY_SECONDS = 2;

    private final Argon2PasswordEncoder argon2;
    private final ThreadPoolExecutor threads;
    private final Turnstile turns;
    private final CompletableFuture<String> nobodysHash;

    PasswordHasher(PasswordProperties properties) {
        this.argon2 = new Argon2PasswordEncoder(
                SALT_BYTES,
                HASH_BYTES,
                properties.parallelism(),
                (int) properties.memory().toKilobytes(),
                properties.iterations());
        int count = properties.threadsUsed();
        int waitingMax = Math.max(1, properties.waitingMax() * count);
        this.turns = new Turnstile(count, waitingMax, PasswordHasher::tooMany);
        this.threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(waitingMax), // for hashes whose caller has hung up, and which are skipped
                BackgroundThreads.named("password-"));
        this.nobodysHash = CompletableFuture.supplyAsync(() -> encoded("nobody's"), threads);
    }

    /** The hash to store, with its parameters; M_LIMIT_EXCEEDED if the queue is full. */
    public Mono<String> hash(TenantId tenant, Password password) {
        return inTurn(tenant, () -> encoded(password.value()));
    }

    /**
     * True if the password matches the hash; M_LIMIT_EXCEEDED if the queue is full.
     *
     * @param hash null for an unknown user or an account without a password: false after the same time as for a wrong password
     */
    public Mono<Boolean> matches(TenantId tenant, Password password, @Nullable String hash) {
        if (password.isTooLong()) {
            return Mono.just(false);
        }
        return hash == null
                ? Mono.fromFuture(nobodysHash, true)
                        .flatMap(other -> compared(tenant, password, other))
                        .thenReturn(false)
                : compared(tenant, password, hash);
    }

    private Mono<Boolean> compared(TenantId tenant, Password password, String hash) {
        return inTurn(tenant, () -> argon2.matches(password.value(), hash));
    }

    private String encoded(String password) {
        var hash = argon2.encode(password);
        if (hash == null) {
            throw new IllegalStateException("argon2 made no hash");
        }
        return hash;
    }

    private <T> Mono<T> inTurn(TenantId tenant, Supplier<T> work) {
        var hashed = Mono.fromFuture(() -> CompletableFuture.supplyAsync(work, threads))
                .onErrorMap(RejectedExecutionException.class, _ -> tooMany());
        return turns.pass(tenant, hashed);
    }

    private static ApiException tooMany() {
        return new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "too many logins at once, try again in a moment")
                .withRetryAfter(RETRY_SECONDS)
                .with("retry_after_ms", RETRY_SECONDS * 1000);
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
