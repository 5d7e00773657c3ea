package rookery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback interface. They are taken below the range from which the kernel serves outgoing connections, so
 * that a server which dies finds its port free when it comes back.
 */
public final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 2_000;
    private static final int WINDOW = 64;

    /**
     * A port is handed out long before a server listens there. So none is handed out twice here, and every process begins at a
     * window of its own: two that start at the same time must not choose the same.
     */
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() % ((HIGHEST - LOWEST) / WINDOW)) * WINDOW);

    private static final Set<Integer> KEPT = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** Hands this port out to nobody else: somebody here is going to listen on it. */
    public static void keep(int port) {
        KEPT.add(port);
    }

    public static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), HIGHEST - LOWEST);
            if (!KEPT.contains(port) && isFree(port)) {
                return port;
            }
        }
        throw new ServerException("found no free port between %d and %d on 127.0.0.1".formatted(LOWEST, HIGHEST));
    }

    public static boolean isFree(int port) {
        return canListen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Whether a server could listen there now. A port that only waits for its last connections to end counts as free. */
    public static boolean canListen(InetSocketAddress address) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** The port that the file remembers if it is still free, else another one, which the file then remembers. */
    static int remembered(Path file) {
        var text = Folders.textOf(file);
        if (text != null && text.strip().matches("\\d{4,5}")) {
            int remembered = Integer.parseInt(text.strip());
            if (!KEPT.contains(remembered) && isFree(remembered)) {
                return remembered;
            }
        }
        int port = free();
        Folders.write(file, port + "\n");
        return port;
    }
}
