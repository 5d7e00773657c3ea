// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import rookery.embedded.Child;
import rookery.embedded.Folders;
import rookery.program.Complaint;

/** The folder in which gateways and services find each other: one file for each running process. */
record InstanceFiles(Path folder) {
    /** Deletes the files of an earlier run. */
    void clear() {
        Folders.delete(folder);
        DataFolder.makePrivate(folder);
    }

    void write(Placement place, long pid, Path log) {
        Folders.write(
                folder.resolve(place.name()), """
                address=%s
                management=%s
                pid=%d
                log=%s
                """.formatted(place.address(), place.managementAddress(), pid, log));
    }

    /** Lists a server without routes, so that operators and tests find its process. */
    void write(String name, int port, Child child) {
        Folders.write(folder.resolve(name), """
                address=127.0.0.1:%d
                pid=%d
                log=%s
                """.formatted(port, child.pid(), child.log()));
    }

    /** The process id of an instance; throws a complaint when no instance of that name has a process of its own. */
    long pid(String name) {
        var text = name.contains("/") ? null : Folders.textOf(folder.resolve(name));
        long pid = text == null
                ? 0
                : text.lines()
                        .filter(line -> line.startsWith("pid="))
                        .map(line -> Long.parseLong(line.substring(4)))
                        .findFirst()
                        .orElse(0L);
        if (pid == 0) {
            throw Complaint.failure("there is no %s; running instances are listed in %s".formatted(name, folder));
        }
        if (pid == ProcessHandle.current().pid()) {
            throw Complaint.failure(
                    "all services are in the launcher's own JVM: only a run with --cluster can do without one");
        }
        return pid;
    }

    void remove(String name) {
        Folders.delete(folder.resolve(name));
    }
}
