// SPDX-License-Identifier: Apache-2.0
package rookery.embedded.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.embedded.Folders;
import rookery.embedded.ServerException;

class MediaFolderTest {
    /** SHA-256 of {@code abc}. */
    private static final String ABC = "1/ba/78/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    private Path folder = Path.of("");

    private Path zipOf(Path media) throws IOException {
        var file = folder.resolve("backup.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            MediaFolder.write(media, zip);
            zip.putNextEntry(new ZipEntry("other/entry"));
            zip.closeEntry();
        }
        return file;
    }

    private static int restore(Path file, Path to) throws IOException {
        try (var zip = new ZipFile(file.toFile())) {
            return MediaFolder.restore(zip, to);
        }
    }

    private Path media(String name, String text) throws IOException {
        var media = folder.resolve("media");
        var file = media.resolve(name);
        Folders.make(file.resolveSibling("").normalize());
        Files.writeString(file, text);
        Folders.make(media.resolve("incoming"));
        Files.writeString(media.resolve("incoming/half"), "x");
        return media;
    }

    @Test
    void uploadedFilesComeBackAndHalfOnesDoNot() throws IOException {
        var restored = folder.resolve("restored");
        assertThat(restore(zipOf(media(ABC, "abc")), restored)).isEqualTo(1);
        assertThat(restored.resolve(ABC)).hasContent("abc");
        assertThat(restored.resolve("incoming")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(restored.resolve(ABC))))
                .isEqualTo("rw-------");
    }

    @Test
    void withoutAFolderThereIsNothing() throws IOException {
        assertThat(restore(zipOf(folder.resolve("nothing")), folder.resolve("restored")))
                .isZero();
    }

    @Test
    void aFileThatIsNotWhatItsNameSaysIsNotTaken() throws IOException {
        var file = zipOf(media(ABC, "abd"));
        assertThatExceptionOfType(ServerException.class)
                .isThrownBy(() -> restore(file, folder.resolve("restored")))
                .withMessageContaining("damaged");
    }

    @Test
    void nothingIsWrittenOutsideOfTheFolder() throws IOException {
        var file = folder.resolve("evil.zip");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("media/../../evil"));
            zip.closeEntry();
        }
        assertThatExceptionOfType(ServerException.class).isThrownBy(() -> restore(file, folder.resolve("restored")));
    }
}
