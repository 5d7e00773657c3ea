// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.gateway.routing.Load;
import rookery.model.error.ApiException;

class HeavyRequestsTest {
    private final HeavyRequests requests = new HeavyRequests(new HeavyProperties(3, 2));

    @ParameterizedTest
    @CsvSource({"DOWNLOAD, 3", "READ, 2"})
    void oneMoreThanTheLimitIsToldToWait(Load load, int most) {
        for (int i = 0; i < most; i++) {
            begin(1, "ada", load);
        }
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> ask(1, "ada", load))
                .satisfies(refusal -> assertThat(refusal.status).isEqualTo(429))
                .satisfies(refusal -> assertThat(refusal.retryAfterSeconds).isEqualTo(1))
                .satisfies(refusal -> assertThat(refusal.details).containsEntry("retry_after_ms", 1000));
        ask(1, "bob", load);
        ask(2, "ada", load);
        ask(1, "ada", load == Load.READ ? Load.DOWNLOAD : Load.READ);
        for (int i = 0; i < 100; i++) {
            begin(1, "ada", Load.LIGHT);
        }
    }

    @Test
    void placeIsFreeHoweverTheAnswerEnds() {
        var ended = Sinks.<Void>empty();
        var failed = Sinks.<Void>empty();
        requests.limited(1, "ada", Load.READ, ended.asMono()).subscribe();
        requests.limited(1, "ada", Load.READ, failed.asMono()).onErrorComplete().subscribe();
        ended.tryEmitEmpty().orThrow();
        failed.tryEmitError(new IllegalStateException()).orThrow();
        var gone = new ArrayList<>(java.util.List.of(begin(1, "ada", Load.READ), begin(1, "ada", Load.READ)));
        gone.forEach(Disposable::dispose);
        begin(1, "ada", Load.READ);
        ask(1, "ada", Load.READ);
    }

    private Disposable begin(int tenant, String owner, Load load) {
        return requests.limited(tenant, owner, load, Mono.never())
                .doOnError(failure -> {
                    throw new AssertionError(failure);
                })
                .subscribe();
    }

    private void ask(int tenant, String owner, Load load) {
        requests.limited(tenant, owner, load, Mono.empty()).block();
    }
}
