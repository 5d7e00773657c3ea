// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;

/** Connections of many users. A request uses an idle connection of its user, or opens one. */
final class RawConnections implements AutoCloseable {
    private final TenantAddress site;
    private final Map<Session, Deque<RawConnection>> idle = new ConcurrentHashMap<>();

    RawConnections(TenantAddress site) {
        this.site = site;
    }

    /**
     * Makes a request as {@link RawConnection#call} does. It is repeated if an idle connection fails, because the server may have
     * closed it; requests must be safe to repeat.
     */
    Answer call(Session person, String method, String path, String content) throws IOException {
        var connections = idle.computeIfAbsent(person, _ -> new ConcurrentLinkedDeque<>());
        for (var connection = connections.poll(); connection != null; connection = connections.poll()) {
            try {
                return call(connections, connection, method, path, content);
            } catch (IOException _) {
                // the next one, at last a new one
            }
        }
        return call(connections, new RawConnection(site, person), method, path, content);
    }

    private static Answer call(
            Deque<RawConnection> connections, RawConnection connection, String method, String path, String content)
            throws IOException {
        try {
            var answer = connection.call(method, path, content);
            connections.push(connection);
            return answer;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        for (var connections : idle.values()) {
            for (var connection : connections) {
                connection.close();
            }
        }
    }
}
