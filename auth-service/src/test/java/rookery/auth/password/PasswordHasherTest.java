// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

class PasswordHasherTest {
    private static final TenantId TENANT = new TenantId(1);

    private final PasswordHasher hasher = new PasswordHasher(new PasswordProperties(
            DataSize.ofMegabytes(8), 2, 1, 1, 10, 20, 100, 50, Duration.ofDays(30), Duration.ofMinutes(15)));

    @AfterEach
    void stop() {
        hasher.destroy();
    }

    @Test
    void onlyThePasswordItselfMatchesItsHash() {
        var password = new Password("corr\u0000ect horse");
        String hash = hasher.hash(TENANT, password).block();

        assertThat(hash).startsWith("$argon2id$v=19$m=8192,t=2,p=1$");
        assertThat(hasher.matches(TENANT, password, hash).block()).isTrue();
        assertThat(hasher.matches(TENANT, new Password("corr"), hash).block()).isFalse();
        assertThat(hasher.matches(TENANT, password, null).block())
                .as("nobody's")
                .isFalse();
    }

    @Test
    void floodIsToldToComeBack() {
        var running = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < 30; i++) {
            running.add(hasher.hash(TENANT, new Password("correct horse")).toFuture());
        }

        var refused = running.stream()
                .map(one -> one.handle((_, failure) -> failure).join())
                .filter(Objects::nonNull)
                .toList();
        assertThat(refused)
                .isNotEmpty()
                .hasSizeLessThan(30)
                .allSatisfy(failure -> assertThat(failure).isInstanceOfSatisfying(ApiException.class, refusal -> {
                    assertThat(refusal.code).isEqualTo(ErrorCode.M_LIMIT_EXCEEDED);
                    assertThat(refusal.retryAfterSeconds).isPositive();
                }));
    }

    @Test
    void aFloodOfOneTenantDelaysAnotherByOneHash() {
        var ended = Collections.synchronizedList(new ArrayList<String>());
        var all = new ArrayList<CompletableFuture<String>>();
        hasher.matches(TENANT, new Password("warm"), null).block();
        for (int i = 0; i < 10; i++) {
            all.add(hasher.hash(TENANT, new Password("flood"))
                    .doOnNext(_ -> ended.add("flood"))
                    .toFuture());
        }
        all.add(hasher.hash(new TenantId(2), new Password("other"))
                .doOnNext(_ -> ended.add("other"))
                .toFuture());
        all.forEach(one -> one.handle((_, failure) -> failure).join());

        assertThat(ended.subList(0, 3)).contains("other");
    }
}
