package rookery.gateway;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/** Does to Redis what other services do. */
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

    /** Lets every command of everybody wait. */
    void pause(Duration duration) {
        commands.clientPause(duration.toMillis());
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
