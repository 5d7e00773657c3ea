// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;

/**
 * Long polls, each on its own connection with minimal memory in this process. The server ends each poll after the timeout with
 * an empty response; the client polls again at once.
 */
final class ParkedPolls implements AutoCloseable {
    private static final Pattern NEXT_BATCH = Pattern.compile("\"next_batch\":\"([^\"]+)\"");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private final TenantAddress site;
    private final Duration timeout;
    private final Selector selector;
    private final Thread thread;
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private static final class Poll {
        final Session person;
        final ByteArrayOutputStream answer = new ByteArrayOutputStream();
        String since;

        Poll(Session person, String since) {
            this.person = person;
            this.since = since;
        }
    }

    ParkedPolls(TenantAddress site, Duration timeout) throws IOException {
        this.site = site;
        this.timeout = timeout;
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().name("parked-polls").daemon().start(this::read);
    }

    /** Adds a long poll of a user at a gateway, which is repeated until the end. */
    void add(InetSocketAddress gateway, Session person, String since) throws IOException {
        var connection = SocketChannel.open(gateway);
        var poll = new Poll(person, since);
        ask(connection, poll);
        connection.configureBlocking(false);
        connection.register(selector, SelectionKey.OP_READ, poll);
        selector.wakeup();
    }

    /** Returns and resets the number of responses. */
    int takeAnswered() {
        return answered.getAndSet(0);
    }

    /** The failures; each has ended its poll. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    private void ask(SocketChannel connection, Poll poll) throws IOException {
        // a user who comes online would end the long polls of others
        var query = SyncQuery.since(poll.since).waiting(timeout).whileUnseen();
        var request = "GET " + site.prefix() + query.path() + " HTTP/1.1\r\nHost: " + site.host()
                + "\r\nAuthorization: Bearer " + poll.person.token() + "\r\n\r\n";
        var bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            connection.write(bytes);
        }
    }

    private void read() {
        var bytes = new byte[16 * 1024];
        try {
            while (!closed) {
                selector.select(key -> read(key, bytes), 100);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(SelectionKey key, byte[] bytes) {
        var poll = (Poll) key.attachment();
        var connection = (SocketChannel) key.channel();
        try {
            int length = connection.read(ByteBuffer.wrap(bytes));
            if (length < 0) {
                throw new IOException("the connection has ended");
            }
            poll.answer.write(bytes, 0, length);
            var answer = poll.answer.toString(StandardCharsets.US_ASCII);
            if (isWhole(answer)) {
                poll.answer.reset();
                var next = NEXT_BATCH.matcher(answer);
                if (!answer.startsWith("HTTP/1.1 200") || !next.find()) {
                    throw new IOException("no answer of sync: " + answer);
                }
                answered.incrementAndGet();
                poll.since = next.group(1);
                ask(connection, poll);
            }
        } catch (IOException e) {
            key.cancel();
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isWhole(String answer) {
        int body = answer.indexOf("\r\n\r\n") + 4;
        if (body < 4) {
            return false;
        }
        var length = LENGTH.matcher(answer).region(0, body);
        return length.find()
                ? answer.length() - body >= Integer.parseInt(length.group(1))
                : answer.endsWith("\r\n0\r\n\r\n"); // chunked transfer encoding
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (var key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
