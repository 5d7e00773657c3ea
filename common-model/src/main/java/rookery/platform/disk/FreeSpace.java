// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Reads the free space of a disk. */
@FunctionalInterface
public interface FreeSpace {
    /** Returns the share of the folder's disk that is free for this process, from 0 to 1. */
    double share(Path folder) throws IOException;
}
