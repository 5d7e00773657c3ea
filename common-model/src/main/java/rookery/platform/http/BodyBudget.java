package rookery.platform.http;

import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes of request bodies a process holds at a time, in sum and for one client address. Without it a few hundred clients
 * that send a body slowly, or many large ones, fill the heap.
 */
public final class BodyBudget {
    private static final int SHARE_OF_HEAP = 8;
    private static final int SHARE_OF_ADDRESS = 4;

    private final long bytesMax;
    private final long addressBytesMax;
    private final Map<String, Long> byAddress = new HashMap<>();
    private long bytes;

    /** Bounds in bytes; one address may always send one body of the largest kind. */
    public BodyBudget(long bytesMax) {
        this.bytesMax = Math.max(bytesMax, BodyLimits.BYTES_MAX);
        this.addressBytesMax = Math.max(bytesMax / SHARE_OF_ADDRESS, BodyLimits.BYTES_MAX);
    }

    /** An eighth of the heap. */
    public static BodyBudget ofHeap() {
        return new BodyBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** Whether there is room for so many bytes more; what was taken is to be given back. */
    public synchronized boolean take(String address, long more) {
        long ofAddress = byAddress.getOrDefault(address, 0L) + more;
        if (bytes + more > bytesMax || ofAddress > addressBytesMax) {
            return false;
        }
        bytes += more;
        byAddress.put(address, ofAddress);
        return true;
    }

    public synchronized void giveBack(String address, long less) {
        bytes -= less;
        byAddress.computeIfPresent(address, (_, ofAddress) -> ofAddress == less ? null : ofAddress - less);
    }

    /** What is held now, in bytes. */
    public synchronized long held() {
        return bytes;
    }
}
