// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import rookery.platform.http.BodyStream;
import rookery.room.media.MediaStore.Content;

/**
 * An unfinished upload: a file with a random name. Blocks. {@link #finish} reports the failures, so that every part is consumed
 * and released; see {@link MediaStore#put}.
 */
final class IncomingFile {
    private final Path path;
    private final FileChannel channel;
    private final MessageDigest digest;
    private final long most;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private long size;
    private @Nullable IOException failure;

    IncomingFile(Path path, long most) throws IOException {
        this.path = path;
        this.most = most;
        this.channel =
                FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.FILE);
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes and releases a part; returns the size of all parts so far. */
    long take(DataBuffer part) {
        size += part.readableByteCount();
        try (var buffers = part.readableByteBuffers()) {
            while (buffers.hasNext() && size <= most && failure == null) {
                write(buffers.next());
            }
        } catch (IOException e) {
            failure = e;
        } finally {
            DataBufferUtils.release(part);
        }
        return size;
    }

    private void write(ByteBuffer bytes) throws IOException {
        digest.update(bytes.duplicate());
        for (var first = bytes.duplicate(); first.hasRemaining() && beginning.size() < FirstBytes.BYTES_MAX; ) {
            beginning.write(first.get());
        }
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** The complete content. M_TOO_LARGE, or the IOException of an earlier write. */
    Content finish() throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (size > most) {
            throw BodyStream.tooLarge(most);
        }
        channel.close();
        return new Content(ContentHash.of(digest.digest()), size, new FirstBytes(beginning.toByteArray()));
    }

    Path path() {
        return path;
    }

    /** Deletes the file, unless the storage has moved it. */
    void discard() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
