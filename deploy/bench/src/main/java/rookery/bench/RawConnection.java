// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;

/**
 * One connection with one request at a time. A request costs a small part of the CPU that the JDK's client needs, so that more of
 * the machine is left to the measured server.
 */
final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (_, _) -> true);

    private final Socket socket;
    private final InputStream in;
    private final TenantAddress site;
    private final Session person;

    RawConnection(TenantAddress site, Session person) throws IOException {
        var uri = site.uri("");
        this.site = site;
        this.person = person;
        this.socket = new Socket(uri.getHost(), uri.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Requests a path behind the prefix. The answer has no headers. */
    Answer get(String path) throws IOException {
        return call("GET", path, "");
    }

    /** Makes a request with a body, of JSON if a service asks, or without one if the text is empty. The answer has no headers. */
    Answer call(String method, String path, String content) throws IOException {
        var bytes = content.getBytes(StandardCharsets.UTF_8);
        var request = new StringBuilder(method + " " + site.prefix() + path + " HTTP/1.1\r\nHost: " + site.host()
                + "\r\nAuthorization: Bearer " + person.token() + "\r\n");
        if (bytes.length > 0) {
            request.append("Content-Type: application/json\r\nContent-Length: " + bytes.length + "\r\n");
        }
        request.append("\r\n").append(content); // in one packet, if it is small
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = -1; // chunks
        for (var header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring("content-length:".length()).strip());
            }
        }
        var body = length < 0 ? chunks() : in.readNBytes(length);
        return new Answer(method + " " + path, status, NO_HEADERS, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        for (int length = chunkLength(); length > 0; length = chunkLength()) {
            body.write(in.readNBytes(length));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int chunkLength() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server has closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
