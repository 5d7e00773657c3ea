package rookery.gateway.redis;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.function.Supplier;

/**
 * Commands sent together.
 *
 * @param commands sent in one write; a command can be sent only once
 * @param answer reads the results after all commands have completed
 */
public record Batch<T>(List<AsyncCommand<String, String, ?>> commands, Supplier<T> answer) {}
