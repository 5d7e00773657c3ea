// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the bytes of request bodies in memory, in total and for one client address. Without the limit, a few hundred clients
 * with slow or large bodies fill the heap.
 */
public final class BodyBudget {
    private static final int SHARE_OF_HEAP = 8;
    private static final int SHARE_OF_ADDRESS = 4;

    private final long bytesMax;
    private final long addressBytesMax;
    private final Map<String, Long> byAddress = new HashMap<>();
    private long bytes;

    /** Creates limits in bytes; one address may always send one body of the largest kind. */
    public BodyBudget(long bytesMax) {
        this.bytesMax = Math.max(bytesMax, BodyLimits.BYTES_MAX);
        this.addressBytesMax = Math.max(bytesMax / SHARE_OF_ADDRESS, BodyLimits.BYTES_MAX);
    }

    public static BodyBudget ofHeap() {
        return new BodyBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** Takes bytes and returns whether there is room; the caller must give taken bytes back. */
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
}
