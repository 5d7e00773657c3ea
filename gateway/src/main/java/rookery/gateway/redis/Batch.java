// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.function.Supplier;

/** Commands sent in one write, which is possible only once; {@code answer} reads the results after all have completed. */
public record Batch<T>(List<AsyncCommand<String, String, ?>> commands, Supplier<T> answer) {}
