package rookery.platform.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Asks the system for the space of a disk. */
@FunctionalInterface
public interface FreeSpace {
    /** The share of the folder's disk that is free for us, from 0 to 1. */
    double share(Path folder) throws IOException;
}
