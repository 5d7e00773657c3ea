// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses root: started by root it runs as nobody, or, where nobody may not enter
 * the folders (such as below /root), as root in a user namespace without a mapped root.
 */
enum RunAs {
    OURSELVES,
    NOBODY,
    IN_A_NAMESPACE;

    private static final int ROOT = 0;
    private static final int NOBODY_UID = 65534;

    static RunAs forFolders(Path... folders) {
        if (ourUid() != ROOT) {
            return OURSELVES;
        }
        if (List.of(folders).stream().allMatch(RunAs::canBeEnteredByAll) && Tools.works(command(NOBODY))) {
            return NOBODY;
        }
        if (Tools.works(command(IN_A_NAMESPACE))) {
            return IN_A_NAMESPACE;
        }
        throw new ServerException(
                "PostgreSQL does not run as root, and the user nobody may not enter %s: use a data folder that"
                                .formatted(folders[0])
                        + " everybody may enter (--data DIR), or do not run as root");
    }

    /** The command prefix that changes the user. */
    List<String> prefix() {
        return switch (this) {
            case OURSELVES -> List.of();
            case NOBODY -> List.of("setpriv", "--reuid=" + NOBODY_UID, "--regid=" + NOBODY_UID, "--clear-groups");
            case IN_A_NAMESPACE -> List.of("unshare", "-U");
        };
    }

    /** Gives the folder to PostgreSQL's user. */
    void own(Path folder) {
        switch (this) {
            case OURSELVES -> {}
            case NOBODY -> Folders.giveTo(NOBODY_UID, folder);
            case IN_A_NAMESPACE -> Folders.giveTo(ROOT, folder);
        }
    }

    private static String[] command(RunAs as) {
        var words = new ArrayList<>(as.prefix());
        words.add("true");
        return words.toArray(String[]::new);
    }

    private static boolean canBeEnteredByAll(Path folder) {
        try {
            for (var path = folder.toAbsolutePath(); path != null; path = path.getParent()) {
                if (!Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int ourUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
