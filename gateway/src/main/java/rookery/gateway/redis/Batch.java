package rookery.gateway.redis;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.function.Supplier;

/**
 * Commands that travel together.
 *
 * @param commands sent in one write; a command can be sent once only
 * @param answer reads the answers, once all of them are there
 */
public record Batch<T>(List<AsyncCommand<String, String, ?>> commands, Supplier<T> answer) {}
