// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.List;
import java.util.Map;

/**
 * All messages that devices sent and received.
 *
 * @param sent by each device, in order
 * @param answers to each device, in the order of arrival
 * @param stored all messages written to the database
 */
record DeliveryHistory(List<SentMessage> sent, Map<String, List<SyncAnswer>> answers, List<StoredMessage> stored) {
    DeliveryHistory {
        sent = List.copyOf(sent);
        answers = Map.copyOf(answers);
        stored = List.copyOf(stored);
    }
}
