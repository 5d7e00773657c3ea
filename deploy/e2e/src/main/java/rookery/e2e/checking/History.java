// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.checking;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All messages sent and received during a run.
 *
 * @param members of each room from before the first message until after the last
 * @param received events of each client, in the order of receipt
 */
public record History(Map<String, Set<String>> members, List<SentMessage> sent, List<ReceivedEvent> received) {
    public History {
        members = Map.copyOf(members);
        sent = List.copyOf(sent);
        received = List.copyOf(received);
    }
}
