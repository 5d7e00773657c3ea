// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import rookery.program.Complaint;

/** Writes one person's data into a file, which has the name only once complete (contract.md 5.6). */
record PersonExport(OperatorClient client) {
    void write(String tenant, String name, Path file) {
        var part = file.resolveSibling(file.getFileName() + ".part");
        try (var files = new OperatorFiles(client)) {
            try (var body = files.read(tenant + "/users/" + OperatorClient.part(name) + "/data")) {
                if (body == null) {
                    throw Complaint.failure("there is no user " + name + " of this tenant");
                }
                Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                Files.deleteIfExists(part);
                throw Complaint.failure(
                        "the export was cut off or cannot be stored (%s): run the command again".formatted(e));
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println(file + " has the data of " + name + ": open index.html in it");
    }
}
