// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a ZIP piece by piece: every method returns the bytes that are ready. Between the pieces the memory has the compressor and
 * the directory of the ZIP, some hundred bytes for an entry. A ZIP without {@link #end} has no directory, so that no program takes
 * the ZIP for complete.
 */
final class ZipStream {
    private static final byte[] LINE_FEED = {'\n'};

    private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
    private final Zip zip = new Zip(ready);
    private final LocalDateTime time;

    ZipStream(Instant time) {
        this.time = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }

    private interface Step {
        void run() throws IOException;
    }

    /** {@link ZipOutputStream} can write what its compressor has, but offers no method. */
    private static final class Zip extends ZipOutputStream {
        Zip(OutputStream out) {
            super(out);
            setLevel(Deflater.BEST_SPEED);
        }

        void sync() throws IOException {
            int length;
            do {
                length = def.deflate(buf, 0, buf.length, Deflater.SYNC_FLUSH);
                out.write(buf, 0, length);
            } while (length == buf.length);
        }
    }

    private byte[] after(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        var bytes = ready.toByteArray();
        ready.reset();
        return bytes;
    }

    byte[] begin(String name) {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(time);
        return after(() -> zip.putNextEntry(entry));
    }

    byte[] write(byte[] bytes) {
        return after(() -> zip.write(bytes));
    }

    /** Writes an empty line and all that the compressor has, so that no reader takes the silence of a long search for the end. */
    byte[] pulse() {
        return after(() -> {
            zip.write(LINE_FEED);
            zip.sync();
        });
    }

    byte[] finish() {
        return after(zip::closeEntry);
    }

    /** The directory. */
    byte[] end() {
        return after(zip::close);
    }
}
