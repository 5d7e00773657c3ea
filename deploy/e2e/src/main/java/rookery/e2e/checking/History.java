package rookery.e2e.checking;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that happened between the clients and the server.
 *
 * @param members by room: who was in it from before the first message until after the last one
 * @param heard by each client in the order in which it was told
 */
public record History(Map<String, Set<String>> members, List<SentMessage> sent, List<ReceivedEvent> heard) {
    public History {
        members = Map.copyOf(members);
        sent = List.copyOf(sent);
        heard = List.copyOf(heard);
    }
}
