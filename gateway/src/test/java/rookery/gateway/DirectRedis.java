// SPDX-License-Identifier: Apache-2.0
package rookery.gateway;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;

/** Commands that other services send to Redis. */
final class DirectRedis implements AutoCloseable {
    private final RedisClient client;
    private final RedisCommands<String, String> commands;

    DirectRedis(String url) {
        client = RedisClient.create(url);
        commands = client.connect().sync();
    }

    void set(String key, String value) {
        commands.set(key, value);
    }

    boolean has(String key) {
        return commands.exists(key) == 1;
    }

    void delete(String key) {
        commands.del(key);
    }

    /** Delays every command of every client. */
    void pause(Duration duration) {
        commands.clientPause(duration.toMillis());
    }

    /** Delays every script of every client until {@link #resume}. */
    void pauseScripts() {
        client("PAUSE", Long.toString(Duration.ofMinutes(10).toMillis()), "WRITE");
    }

    void resume() {
        client("UNPAUSE");
    }

    private void client(String... words) {
        var arguments = new CommandArgs<>(StringCodec.UTF8);
        List.of(words).forEach(arguments::add);
        commands.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), arguments);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
