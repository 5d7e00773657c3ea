// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.function.Function;
import rookery.embedded.Folders;
import rookery.embedded.Secrets;
import rookery.embedded.ServerException;
import rookery.program.Complaint;

/**
 * The loopback port on which a run accepts requests of further {@code deploy/run} calls on its data folder. A file that only the
 * folder's owner may read contains port and key. A request is one line, {@code KEY VERB SUBJECT}; the response is one line,
 * {@code ok} or {@code failed} with a sentence.
 */
final class ControlPort implements AutoCloseable {
    private static final String FILE = "control.properties";
    private static final int LINE_MAX = 1_000;
    private static final int QUESTION_MILLIS = 5_000;
    /** A new instance needs some time until it is ready. */
    private static final int ANSWER_MILLIS = 300_000;

    private static final String OK = "ok ";
    private static final String FAILED = "failed ";

    private final ServerSocket socket;
    private final Path file;
    private final String key = Secrets.random();
    private final Function<ControlRequest, String> work;

    private ControlPort(ServerSocket socket, Path file, Function<ControlRequest, String> work) {
        this.socket = socket;
        this.file = file;
        this.work = work;
    }

    /**
     * @param folder in the data folder, for the file with port and key
     * @param work executes a request and returns a description; throws a complaint on failure
     */
    static ControlPort open(Path folder, Function<ControlRequest, String> work) {
        try {
            var port = new ControlPort(
                    new ServerSocket(0, 10, InetAddress.getLoopbackAddress()), folder.resolve(FILE), work);
            Folders.writeSecret(port.file, "port=%d%nkey=%s%n".formatted(port.socket.getLocalPort(), port.key));
            Thread.ofPlatform().name("control").daemon().start(port::listen);
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends a request to the run on the data folder. Returns the description of the result; throws a complaint when the request
     * fails or no run exists.
     */
    static String ask(Path folder, ControlRequest request) {
        var properties = Folders.propertiesOf(folder.resolve(FILE));
        if (properties == null) {
            throw nothingRuns();
        }
        try {
            return ask(
                    Integer.parseInt(properties.getProperty("port")),
                    "%s %s %s".formatted(properties.getProperty("key"), request.verb(), request.subject()));
        } catch (IOException _) {
            throw nothingRuns();
        }
    }

    private static String ask(int port, String line) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                var out = new PrintStream(socket.getOutputStream(), true, UTF_8);
                var in = reader(socket)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            out.println(line);
            var answer = in.readLine();
            if (answer == null || !answer.startsWith(OK)) {
                throw Complaint.failure(answer == null ? "the run ended meanwhile" : answer.substring(FAILED.length()));
            }
            return answer.substring(OK.length());
        }
    }

    private static Complaint nothingRuns() {
        return Complaint.failure(
                "nothing runs on this data folder: start it with deploy/run --cluster, or name another one with --data");
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    private void listen() {
        while (!socket.isClosed()) {
            try {
                var connection = socket.accept();
                Thread.ofVirtual().name("control-request").start(() -> serve(connection));
            } catch (IOException _) {
                // the port or the caller's connection is closed
            }
        }
    }

    private void serve(Socket connection) {
        try (connection;
                var in = reader(connection);
                var out = new PrintStream(connection.getOutputStream(), true, UTF_8)) {
            connection.setSoTimeout(QUESTION_MILLIS);
            out.println(answer(line(in)));
        } catch (IOException _) {
            // the caller closed the connection
        }
    }

    /** Reads one line of limited length, so that a caller without the key cannot occupy memory. */
    private static String line(BufferedReader in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n' && line.length() < LINE_MAX; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private String answer(String line) {
        var words = line.split(" ", 3);
        if (words.length < 3 || !MessageDigest.isEqual(words[0].getBytes(UTF_8), key.getBytes(UTF_8))) {
            return FAILED + "this is no request";
        }
        try {
            return OK + work.apply(new ControlRequest(ControlRequest.Verb.valueOf(words[1]), words[2]));
        } catch (Complaint | ServerException | IllegalArgumentException e) {
            return FAILED + e.getMessage();
        }
    }

    @Override
    public void close() {
        Folders.delete(file);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
