// SPDX-License-Identifier: Apache-2.0
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
 * Free ports of the loopback interface, below the kernel's range for outgoing connections, so that a restarted server finds its
 * port free.
 *
 * <p>A server listens on its port long after the port was assigned. So no port is assigned twice in this process, and {@link
 * PortClaims} excludes other processes of the machine.
 */
public final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int WINDOW = 64;

    /** The assigned ports with the files that store them; the empty path for a port without a file. */
    private static final Map<Integer, Path> HANDED_OUT = new HashMap<>();

    private static final Set<Integer> KEPT = new HashSet<>();
    private static final Path NO_FILE = Path.of("");

    /** Processes start at different ports, so that they seldom compete. */
    private static int next = (int) (ProcessHandle.current().pid() % ((HIGHEST - LOWEST) / WINDOW)) * WINDOW;

    private Ports() {}

    /** Excludes a port on which this program is going to listen. */
    public static synchronized void keep(int port) {
        KEPT.add(port);
        PortClaims.claim(port); // may be reserved by the parent process for this one
    }

    public static int free() {
        return free(1);
    }

    /** The first of several consecutive free ports. */
    public static synchronized int free(int count) {
        int taken = 0;
        for (int attempt = 0; attempt < HIGHEST - LOWEST; attempt++) {
            int port = LOWEST + Math.floorMod(next++, HIGHEST - LOWEST);
            taken = port == LOWEST ? 0 : taken; // the search wrapped around
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

    /** Whether a server could listen on the address now. A port whose last connections are closing counts as free. */
    public static boolean canListen(InetSocketAddress address) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** The port stored in the file while it is free; otherwise the file gets a new port. */
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
