// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;
import rookery.platform.log.append.Head;
import rookery.platform.log.follow.Rederivation.Progress;

class RederivationTest {
    private final ScriptedOwner owner = new ScriptedOwner(2);
    private final MemoryShards shards = new MemoryShards(new Head(0, 1, 3, 103), new Head(1, 1, 0));
    private final MemoryDerivation derivation = new MemoryDerivation(shards);
    private final Rederivation<String> rederivation =
            new Rederivation<>(shards, derivation, owner.client(), database(), shards);

    /** A database whose statements, of which there is one SET, complete at once. */
    private static DatabaseClient database() {
        var statement = proxy(GenericExecuteSpec.class, Mono.empty());
        return proxy(DatabaseClient.class, statement);
    }

    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> answer));
    }

    @Test
    void derivesEveryShardFromItsBeginningToThePositionOfItsFollower() {
        owner.append(0, "a", "unreadable", "b", "beyond");
        owner.append(1, "beyond");
        shards.rows.add("of before");

        var progress = rederivation.run().collectList().block();

        assertThat(progress).containsExactly(new Progress(0, 2, 3), new Progress(0, 3, 3), new Progress(1, 0, 0));
        assertThat(shards.rows).containsExactly("1=a", "3=b");
        assertThat(shards.heads).containsExactly(new Head(0, 1, 3, 103), new Head(1, 1, 0));
        assertThat(shards.transactions).isEqualTo(1);
    }

    @Test
    void aFailureLeavesTheRowsOfBefore() {
        owner.append(0, "a", "b", "bad");
        shards.rows.add("of before");
        derivation.failure = body -> body.equals("bad") ? new IllegalArgumentException("bad") : null;

        assertThatThrownBy(() -> rederivation.run().blockLast()).hasMessage("bad");

        assertThat(shards.rows).containsExactly("of before");
    }

    @Test
    void aLogInAnotherEpochIsAFailure() {
        owner.append(0, "a", "b", "c");
        owner.loseAfter(0, 1, 7);

        assertThatThrownBy(() -> rederivation.run().blockLast())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the log was restored meanwhile, begin again");
    }
}
