package rookery.e2e.todevice;

import java.util.List;
import java.util.Map;

/**
 * All that devices sent and were told.
 *
 * @param sent by each device in its order
 * @param answers to each device, in the order in which they came
 * @param stored all that was written for devices
 */
record DeliveryHistory(List<SentMessage> sent, Map<String, List<SyncAnswer>> answers, List<StoredMessage> stored) {
    DeliveryHistory {
        sent = List.copyOf(sent);
        answers = Map.copyOf(answers);
        stored = List.copyOf(stored);
    }
}
