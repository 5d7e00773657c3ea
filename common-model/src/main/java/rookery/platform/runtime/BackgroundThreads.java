// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads for long computations such as password hashes. Linux runs them only in time that other threads leave over, because
 * some computations at once would otherwise delay all requests. Java's own priorities need root.
 */
public final class BackgroundThreads {
    private static final Logger log = LoggerFactory.getLogger(BackgroundThreads.class);
    /** A tenth of the processor time of a normal thread, where both want the same processor. */
    private static final int NICE = 10;
    /** PRIO_PROCESS; on Linux with the number 0 the calling thread. */
    private static final int PROCESS = 0;

    private static final @Nullable MethodHandle SET_PRIORITY = setPriority();

    private BackgroundThreads() {}

    /**
     * The factory of such threads.
     *
     * @param prefix the beginning of the threads' names, before a number
     */
    public static ThreadFactory named(String prefix) {
        var threads = Thread.ofPlatform().name(prefix, 0).daemon().factory();
        return work -> threads.newThread(() -> {
            lower();
            work.run();
        });
    }

    private static void lower() {
        if (SET_PRIORITY == null) {
            return;
        }
        try {
            int result = (int) SET_PRIORITY.invokeExact(PROCESS, 0, NICE);
            if (result != 0) {
                log.debug("the system refused a lower priority; the thread runs with the normal one");
            }
        } catch (Throwable failure) { // of invokeExact
            throw new IllegalStateException(failure);
        }
    }

    /** Null on systems without the function. */
    @SuppressWarnings("restricted") // every start of a JVM has --enable-native-access
    private static @Nullable MethodHandle setPriority() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return null; // elsewhere the call changes the whole process
        }
        var linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("setpriority")
                .map(function -> linker.downcallHandle(
                        function,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT)))
                .orElse(null);
    }
}
