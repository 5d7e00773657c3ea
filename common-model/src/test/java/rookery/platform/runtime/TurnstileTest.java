// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class TurnstileTest {
    private final Turnstile turnstile = new Turnstile(1, 2);
    private final List<String> began = new ArrayList<>();

    @Test
    void theNextBeginsWhenOneHasEnded() {
        var first = Sinks.<String>one();
        var second = Sinks.<String>one();
        pass("a", work("first", first)).subscribe();
        pass("a", work("second", second)).onErrorComplete().subscribe();
        assertThat(began).containsExactly("first");
        first.tryEmitValue("done");
        assertThat(began).containsExactly("first", "second");
        second.tryEmitError(new IllegalStateException("failed"));
        StepVerifier.create(pass("a", Mono.just("third"))).expectNext("third").verifyComplete();
    }

    @Test
    void whoGivesUpLeavesTheLine() {
        var first = Sinks.<String>one();
        var running = pass("a", work("first", first)).subscribe();
        var waiting = pass("a", work("second", Sinks.one())).subscribe();
        pass("a", work("third", Sinks.one())).subscribe();
        waiting.dispose();
        running.dispose();
        assertThat(began).containsExactly("first", "third");
    }

    @Test
    void aLongLineWhoseWorkEndsAtOnceIsNoDeepStack() {
        var line = new Turnstile(1, 200_000);
        var first = Sinks.<String>one();
        line.pass(new TenantId(1), new UserId("@first:s"), first.asMono()).subscribe();
        var refused = new AtomicInteger();
        for (int i = 0; i < 100_000; i++) {
            line.pass(new TenantId(1), new UserId("@" + i + ":s"), Mono.error(new IllegalStateException("away")))
                    .subscribe(_ -> {}, _ -> refused.incrementAndGet());
        }
        first.tryEmitValue("done");
        assertThat(refused).hasValue(100_000);
    }

    @Test
    void tooManyAreToldToComeBack() {
        for (int i = 0; i < 3; i++) {
            pass("a", work("work", Sinks.one())).subscribe();
        }
        StepVerifier.create(pass("a", Mono.just("no")))
                .verifyErrorSatisfies(
                        failure -> assertThat(((ApiException) failure).status).isEqualTo(503));
    }

    @Test
    void tenantsTakeTurns() {
        var line = new Turnstile(1, 10);
        var names = List.of("1a", "1b", "1c", "1d", "2a", "2b");
        var ends = new ArrayList<Sinks.One<String>>();
        for (var name : names) {
            var end = Sinks.<String>one();
            ends.add(end);
            int tenant = Integer.parseInt(name.substring(0, 1));
            line.pass(new TenantId(tenant), new UserId("@" + name + ":s"), work(name, end))
                    .subscribe();
        }
        for (int i = 0; i < 6; i++) {
            ends.get(names.indexOf(began.getLast())).tryEmitValue("done");
        }
        assertThat(began).containsExactly("1a", "1b", "2a", "1c", "2b", "1d");
    }

    @Test
    void whoComesToAFullLineTakesThePlaceOfTheTenantWithTheMost() {
        var line = new Turnstile(1, 3);
        var failures = new ArrayList<String>();
        for (var name : List.of("a", "b", "c", "d")) {
            line.pass(new TenantId(1), new UserId("@" + name + ":s"), work(name, Sinks.one()))
                    .subscribe(_ -> {}, _ -> failures.add(name));
        }
        line.pass(new TenantId(2), new UserId("@e:s"), work("e", Sinks.one())).subscribe();
        assertThat(failures).containsExactly("d");
        assertThat(line.waiting()).isEqualTo(3);
    }

    @Test
    void oneUserHasOnlyAFewPieces() {
        var line = new Turnstile(1, 100);
        for (int i = 0; i < 8; i++) {
            line.pass(new TenantId(1), new UserId("@a:s"), work("work", Sinks.one()))
                    .subscribe();
        }
        StepVerifier.create(line.pass(new TenantId(1), new UserId("@a:s"), Mono.just("no")))
                .verifyErrorSatisfies(
                        failure -> assertThat(((ApiException) failure).status).isEqualTo(503));
        var other = line.pass(new TenantId(1), new UserId("@b:s"), work("work", Sinks.one()))
                .subscribe();
        assertThat(line.waiting()).isEqualTo(8);
        other.dispose();
        assertThat(line.waiting()).isEqualTo(7);
    }

    @Test
    void allDevicesOfOneUserMayWaitInALongLine() {
        var line = new Turnstile(4, 200);
        for (int i = 0; i < 10; i++) {
            line.pass(new TenantId(1), new UserId("@a:s"), work("work", Sinks.one()))
                    .subscribe();
        }
        assertThat(began).hasSize(1);
        assertThat(line.waiting()).isEqualTo(9);
    }

    @Test
    void oneUserLeavesRoomForTheOthers() {
        var line = new Turnstile(8, 100);
        var ends = new ArrayList<Sinks.One<String>>();
        for (var name : List.of("a1", "a2", "a3", "a4", "b1")) {
            var end = Sinks.<String>one();
            ends.add(end);
            line.pass(new TenantId(1), new UserId("@" + name.charAt(0) + ":s"), work(name, end))
                    .subscribe();
        }
        assertThat(began).containsExactly("a1", "a2", "b1");
        ends.getLast().tryEmitValue("done");
        assertThat(began).hasSize(3);
        ends.getFirst().tryEmitValue("done");
        assertThat(began).containsExactly("a1", "a2", "b1", "a3");
        ends.get(1).tryEmitValue("done");
        ends.get(2).tryEmitValue("done");
        ends.get(3).tryEmitValue("done");
        assertThat(began).containsExactly("a1", "a2", "b1", "a3", "a4");
        assertThat(line.waiting()).isZero();
    }

    private <T> Mono<T> pass(String user, Mono<T> work) {
        return turnstile.pass(new TenantId(1), new UserId("@" + user + ":s"), work);
    }

    private Mono<String> work(String name, Sinks.One<String> end) {
        return Mono.defer(() -> {
            began.add(name);
            return end.asMono();
        });
    }
}
