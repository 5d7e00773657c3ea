// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import rookery.e2e.api.Session;

/** A GET over a connection of its own with a small buffer, whose response is read at the caller's pace. */
final class RawRequest implements AutoCloseable {
    private static final int RECEIVE_BYTES = 4096;
    private static final int TIMEOUT_MS = 200;

    private final Socket socket = new Socket();
    private long read;

    /** @param path with its prefix */
    RawRequest(Session session, String path) throws IOException {
        var base = session.http().site().base();
        socket.setReceiveBufferSize(RECEIVE_BYTES);
        socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        socket.setSoTimeout(TIMEOUT_MS);
        String head = "GET " + path + " HTTP/1.1\r\nHost: "
                + session.http().site().host() + "\r\nAuthorization: Bearer " + session.token() + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads a limited number of bytes. Returns false when the connection is closed; a timeout without data is no error. */
    boolean read(int most) {
        try {
            int count = socket.getInputStream().read(new byte[most]);
            read += Math.max(count, 0);
            return count >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    long bytesRead() {
        return read;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
