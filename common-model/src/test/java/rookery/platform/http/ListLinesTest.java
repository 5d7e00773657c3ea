// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ListLinesTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void noPortionIsHalfReadWhileTheClientTakesNothing() {
        var lines = ListLines.write(Mono.just(1_000L), "", null, this::portion, item -> item);
        for (int taken = 1; taken < 500; taken++) {
            lines.subscribe(taking(taken));
            assertThat(ended.get()).as("after %d lines", taken).isEqualTo(begun.get());
        }
        assertThat(begun.get()).isGreaterThan(500);
    }

    @Test
    void aListBeginsAtAnOffset() {
        assertThat(text(ListLines.write(Mono.just(1_000L), Mono.just("7"), 2, this::portion, item -> item)))
                .isEqualTo("{\"total\":1000}\n\"8\"\n\"9\"\n{\"end\":2,\"next\":\"9\"}\n");
        assertThat(text(ListLines.write(Mono.just(1_000L), Mono.empty(), 2, this::portion, item -> item)))
                .as("behind the end of the list")
                .isEqualTo("{\"total\":1000}\n{\"end\":0,\"next\":null}\n");
    }

    private static String text(Flux<byte[]> lines) {
        return String.join("", lines.map(line -> new String(line, UTF_8)).toIterable());
    }

    /** Queries the rows at subscription, as the database does. */
    private Mono<List<String>> portion(String key, int most) {
        int first = key.isEmpty() ? 0 : Integer.parseInt(key);
        return Flux.range(first + 1, most)
                .map(String::valueOf)
                .doOnSubscribe(_ -> begun.incrementAndGet())
                .doOnComplete(ended::incrementAndGet)
                .collectList();
    }

    private static BaseSubscriber<byte[]> taking(int lines) {
        return new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(lines);
            }
        };
    }
}
