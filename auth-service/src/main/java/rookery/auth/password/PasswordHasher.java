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

/** Argon2id in a small thread pool with a bounded queue: a flood of logins gets M_LIMIT_EXCEEDED and slows nothing else. */
@Component
public class PasswordHasher implements DisposableBean {
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int RETRY_SECONDS = 2;

    private final Argon2PasswordEncoder argon2;
    private final ThreadPoolExecutor threads;
    private final CompletableFuture<String> nobodysHash;

    PasswordHasher(PasswordProperties properties) {
        this.argon2 = new Argon2PasswordEncoder(
                SALT_BYTES,
                HASH_BYTES,
                properties.parallelism(),
                (int) properties.memory().toKilobytes(),
                properties.iterations());
        int count = properties.threadsUsed();
        this.threads = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(properties.waitingMax() * properties.threadsUsed()),
                Thread.ofPlatform().name("password-", 0).daemon().factory());
        this.nobodysHash = CompletableFuture.supplyAsync(() -> encoded("nobody's"), threads);
    }

    /** The hash to store, with its parameters; M_LIMIT_EXCEEDED if the queue is full. */
    public Mono<String> hash(Password password) {
        return onThreads(() -> encoded(password.value()));
    }

    /**
     * True if the password matches the hash; M_LIMIT_EXCEEDED if the queue is full.
     *
     * @param hash null for an unknown user or an account without a password: false after the same time as for a wrong password
     */
    public Mono<Boolean> matches(Password password, @Nullable String hash) {
        if (password.isTooLong()) {
            return Mono.just(false);
        }
        return hash == null
                ? Mono.fromFuture(nobodysHash, true)
                        .flatMap(other -> compared(password, other))
                        .thenReturn(false)
                : compared(password, hash);
    }

    private Mono<Boolean> compared(Password password, String hash) {
        return onThreads(() -> argon2.matches(password.value(), hash));
    }

    private String encoded(String password) {
        var hash = argon2.encode(password);
        if (hash == null) {
            throw new IllegalStateException("argon2 made no hash");
        }
        return hash;
    }

    private <T> Mono<T> onThreads(Supplier<T> work) {
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(work, threads))
                .onErrorMap(RejectedExecutionException.class, _ -> tooMany());
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
