package rookery.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Properties;
import java.util.function.Function;
import rookery.embedded.Folders;
import rookery.embedded.Secrets;
import rookery.embedded.ServerException;
import rookery.program.Complaint;

/**
 * Where a run takes requests from other {@code deploy/run}s on the same data folder: a port of the loopback. Port and key stand in a file
 * that only the folder's owner reads. A request is one line, {@code KEY VERB SUBJECT}; so is the answer, {@code ok} or {@code failed} and
 * a sentence.
 */
final class ControlPort implements AutoCloseable {
    private static final String FILE = "control.properties";
    private static final int LINE_MAX = 1_000;
    private static final int QUESTION_MILLIS = 5_000;
    /** An instance that is added needs a while until it is ready. */
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
     * @param folder of the data in which the file is written
     * @param work answers with what was done; complains when it cannot be
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

    /** Asks the run that uses the data folder. Returns what it did; complains when it could not, or when none runs. */
    static String ask(Path folder, ControlRequest request) {
        var properties = new Properties();
        try {
            var text = Folders.textOf(folder.resolve(FILE));
            if (text == null) {
                throw nothingRuns();
            }
            properties.load(new StringReader(text));
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
                var asked = socket.accept();
                Thread.ofVirtual().name("control-request").start(() -> serve(asked));
            } catch (IOException _) {
                // closed, or who asked is gone
            }
        }
    }

    private void serve(Socket asked) {
        try (asked;
                var in = reader(asked);
                var out = new PrintStream(asked.getOutputStream(), true, UTF_8)) {
            asked.setSoTimeout(QUESTION_MILLIS);
            out.println(answer(line(in)));
        } catch (IOException _) {
            // who asked is gone
        }
    }

    /** Whoever does not know the key cannot make us read without end. */
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
