// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.platform.sql.BoundStatement;

/**
 * The owner's decision about a batch from memory, valid while the shards still end at the given heads.
 *
 * @param outcomes as in {@link Decision}
 * @param unless nothing is stored if this query has a row; null for none
 * @param derived writes the owner's other rows; each statement has the condition {@code (SELECT holds FROM guard)}
 * @param committed as in {@link Decision}
 */
public record RememberedDecision<A>(
        List<Outcome<A>> outcomes, @Nullable BoundStatement unless, List<BoundStatement> derived, Runnable committed) {}
