package rookery.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers that may be too large to be held: JSON that is written while it is read. Nothing is sent before the first portion is there,
 * so that what fails until then has an error of its own; what fails later ends the connection, and the client sees that it has not all.
 */
public final class JsonStream {
    /** What the server takes at once, of which it holds some dozens for whoever reads slowly. */
    private static final int PIECE_BYTES = 16 * 1024;

    private JsonStream() {}

    /**
     * One array or object with what is around it.
     *
     * @param before the document's text before the first element, such as an opening bracket
     * @param portions each some elements as JSON, or some members as names with their values
     * @param after its text after the last element
     * @return UTF-8 of at most 16 KiB each; asks for a portion when the one before it was taken
     */
    public static Flux<byte[]> of(String before, Flux<List<String>> portions, String after) {
        return Flux.defer(() -> {
            var empty = new AtomicBoolean(true);
            return portions.filter(portion -> !portion.isEmpty())
                    .map(portion -> (empty.getAndSet(false) ? before : ",") + String.join(",", portion))
                    .concatWith(Mono.fromSupplier(() -> empty.get() ? before + after : after))
                    .concatMapIterable(JsonStream::pieces, 1);
        });
    }

    /** The text in pieces of UTF-8, of at most 16 KiB each. */
    public static List<byte[]> pieces(String text) {
        byte[] all = text.getBytes(UTF_8);
        var pieces = new ArrayList<byte[]>();
        for (int from = 0; from < all.length; from += PIECE_BYTES) {
            pieces.add(Arrays.copyOfRange(all, from, Math.min(from + PIECE_BYTES, all.length)));
        }
        return pieces;
    }
}
