// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

class PasswordHasherTest {
    private final PasswordHasher hasher = new PasswordHasher(new PasswordProperties(
            DataSize.ofMegabytes(8), 2, 1, 1, 2, 20, 100, 50, Duration.ofDays(30), Duration.ofMinutes(15)));

    @AfterEach
    void stop() {
        hasher.destroy();
    }

    @Test
    void onlyThePasswordItselfMatchesItsHash() {
        var password = new Password("corr\u0000ect horse");
        String hash = hasher.hash(password).block();

        assertThat(hash).startsWith("$argon2id$v=19$m=8192,t=2,p=1$");
        assertThat(hasher.matches(password, hash).block()).isTrue();
        assertThat(hasher.matches(new Password("corr"), hash).block()).isFalse();
        assertThat(hasher.matches(password, null).block()).as("nobody's").isFalse();
    }

    @Test
    void floodIsToldToComeBack() {
        var running = new ArrayList<java.util.concurrent.CompletableFuture<String>>();
        for (int i = 0; i < 20; i++) {
            running.add(hasher.hash(new Password("correct horse")).toFuture());
        }

        var refused = running.stream()
                .map(one -> one.handle((_, failure) -> failure).join())
                .filter(java.util.Objects::nonNull)
                .toList();
        assertThat(refused)
                .isNotEmpty()
                .hasSizeLessThan(20)
                .allSatisfy(failure -> assertThat(failure).isInstanceOfSatisfying(ApiException.class, refusal -> {
                    assertThat(refusal.code).isEqualTo(ErrorCode.M_LIMIT_EXCEEDED);
                    assertThat(refusal.retryAfterSeconds).isPositive();
                }));
    }
}
