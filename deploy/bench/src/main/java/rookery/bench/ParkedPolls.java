package rookery.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import rookery.e2e.api.Session;
import rookery.e2e.api.Site;
import rookery.e2e.api.SyncQuery;

/**
 * Requests that wait and hear nothing: a connection each, and next to no memory in this process. Whoever answers early is found
 * by {@link #answered}.
 */
final class ParkedPolls implements AutoCloseable {
    private final List<SocketChannel> connections = new ArrayList<>();

    /** Sends one more request to the gateway at that address. */
    void add(InetSocketAddress gateway, Site site, Session person, SyncQuery query) throws IOException {
        var connection = SocketChannel.open(gateway);
        connections.add(connection);
        var request = "GET " + site.prefix() + query.path() + " HTTP/1.1\r\nHost: " + site.host()
                + "\r\nAuthorization: Bearer " + person.token() + "\r\n\r\n";
        var bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            connection.write(bytes);
        }
    }

    /** How many are not parked any more. */
    int answered() throws IOException {
        int answered = 0;
        var byteOfAnswer = ByteBuffer.allocate(1);
        for (var connection : connections) {
            connection.configureBlocking(false);
            byteOfAnswer.clear();
            if (connection.read(byteOfAnswer) != 0) {
                answered++;
            }
        }
        return answered;
    }

    @Override
    public void close() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
    }
}
