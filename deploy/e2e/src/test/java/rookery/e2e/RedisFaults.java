// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import rookery.embedded.Deadline;

/** What happens to a cluster's Redis. */
final class RedisFaults {
    static final String NAME = "redis-1";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Rookery rookery;

    RedisFaults(Rookery rookery) {
        this.rookery = rookery;
    }

    /** Deletes all keys. */
    void flush() {
        tell(RedisServerCommands::flushall);
    }

    /** Auth-service sends its script each time (EVAL), and the gateways send names of theirs (EVALSHA). */
    void permitScripts(boolean permitted) {
        var change = permitted
                ? AclSetuserArgs.Builder.addCommand(CommandType.EVAL)
                : AclSetuserArgs.Builder.removeCommand(CommandType.EVAL);
        tell(redis -> redis.aclSetuser("default", change));
    }

    private void tell(Function<RedisCommands<String, String>, String> command) {
        var client = RedisClient.create(rookery.redisUrl());
        try (var connection = client.connect()) {
            assertThat(command.apply(connection.sync())).isEqualTo("OK");
        } finally {
            client.shutdown();
        }
    }

    @Nullable
    Instance kill() {
        return rookery.kill(NAME);
    }

    void killAndAwaitReturn() {
        assertThat(Deadline.in(PATIENCE).until(() -> rookery.runs(NAME, null))).isTrue();
        var killed = kill();
        assertThat(killed).isNotNull();
        assertThat(Deadline.in(PATIENCE).until(() -> rookery.runs(NAME, killed)))
                .isTrue();
    }
}
