package rookery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Free ports of the loopback interface. They are taken below the range from which the kernel serves outgoing connections, so
 * that a server which dies finds its port free when it comes back.
 *
 * <p>A port is handed out long before a server listens there. So none is handed out twice here, and {@link PortClaims} keep other
 * processes of this machine from handing it out while we live.
 */
public final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int WINDOW = 64;

    /** What is handed out here, and the file that remembers it; the empty path where none does. */
    private static final Map<Integer, Path> HANDED_OUT = new HashMap<>();

    private static final Set<Integer> KEPT = new HashSet<>();
    private static final Path NO_FILE = Path.of("");

    /** Processes begin at different places, so that they seldom come by the ports of others. */
    private static int next = (int) (ProcessHandle.current().pid() % ((HIGHEST - LOWEST) / WINDOW)) * WINDOW;

    private Ports() {}

    /** Hands this port out to nobody else: somebody here is going to listen on it. */
    public static synchronized void keep(int port) {
        KEPT.add(port);
        PortClaims.claim(port); // whoever started us may hold the claim, and means us
    }

    public static int free() {
        return free(1);
    }

    /** The first of several free ports that follow each other. */
    public static synchronized int free(int count) {
        int taken = 0;
        for (int attempt = 0; attempt < HIGHEST - LOWEST; attempt++) {
            int port = LOWEST + Math.floorMod(next++, HIGHEST - LOWEST);
            taken = port == LOWEST ? 0 : taken; // a new round
            taken = hand(port, NO_FILE) ? taken + 1 : 0;
            if (taken == count) {
                return port - count + 1;
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
    static synchronized int remembered(Path file) {
        var owner = file.toAbsolutePath();
        var text = Folders.textOf(file);
        if (text != null && text.strip().matches("\\d{4,5}")) {
            int remembered = Integer.parseInt(text.strip());
            if (owner.equals(HANDED_OUT.get(remembered)) ? isFree(remembered) : hand(remembered, owner)) {
                return remembered;
            }
        }
        int port = free();
        HANDED_OUT.put(port, owner);
        Folders.write(file, port + "\n");
        return port;
    }

    private static boolean hand(int port, Path owner) {
        if (KEPT.contains(port) || HANDED_OUT.containsKey(port) || !isFree(port) || !PortClaims.claim(port)) {
            return false;
        }
        HANDED_OUT.put(port, owner);
        return true;
    }
}
