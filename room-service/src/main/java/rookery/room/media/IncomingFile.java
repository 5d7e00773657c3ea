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

/** A file that is being uploaded, under a name that nobody reads; blocks. What goes wrong is told at its end, see {@link MediaStore#put}. */
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

    /** Takes the next part, and releases it; how many bytes there are. */
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

    /** What was taken; M_TOO_LARGE. */
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

    /** Removes it, unless it was moved to its place. */
    void discard() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
