package rookery.platform.http;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A long list as one service hands it to another: lines of JSON, of which none is held longer than it takes to write it. First how
 * many items there are in all, then the items, at last how many of them were written and, if there are more, the key to go on after.
 */
public final class ListLines {
    /** How many items are read at a time. */
    private static final int PORTION = 200;

    private static final JsonMapper JSON = JsonMapper.shared();

    private ListLines() {}

    /** First line. */
    public record Head(long total) {}

    /** Last line; an answer without it is not whole. {@code next} is null where nothing is left. */
    public record End(int end, @Nullable String next) {}

    /** Reads a portion of the items: at most so many of those after the key. */
    public interface Portions<T> {
        Mono<List<T>> after(String key, int most);
    }

    /**
     * Writes a list.
     *
     * @param after where the list goes on; empty for its beginning
     * @param limit null for all
     * @param key what the items are ordered by
     */
    public static <T> Flux<byte[]> write(
            Mono<Long> total, String after, @Nullable Integer limit, Portions<T> portions, Function<T, String> key) {
        var last = new AtomicReference<Portion<T>>();
        var written = new AtomicInteger();
        var items = portion(after, limit == null ? Integer.MAX_VALUE : limit, portions, key)
                .expand(portion -> portion.goesOn()
                        ? portion(portion.lastKey, portion.left, portions, key)
                        : Mono.<Portion<T>>empty())
                .doOnNext(last::set)
                .concatMapIterable(Portion::items, 1)
                .doOnNext(_ -> written.incrementAndGet())
                .map(ListLines::line);
        return Flux.concat(
                total.map(Head::new).map(ListLines::line),
                items,
                Mono.fromSupplier(() -> line(new End(written.get(), last.get().hasMore ? last.get().lastKey : null))));
    }

    /**
     * Some items.
     *
     * @param left how many more may be written after them
     * @param hasMore whether there are more
     */
    private record Portion<T>(List<T> items, String lastKey, int left, boolean hasMore) {
        boolean goesOn() {
            return hasMore && left > 0;
        }
    }

    /**
     * One more is read than is shown, to know whether there is one. It is read to its end, whether or not the client takes it: until
     * then a portion holds a connection to the database.
     */
    private static <T> Mono<Portion<T>> portion(String after, int left, Portions<T> portions, Function<T, String> key) {
        int shown = Math.min(PORTION, left);
        return portions.after(after, shown + 1).cache().map(read -> {
            var items = read.subList(0, Math.min(shown, read.size()));
            var lastKey = items.isEmpty() ? after : key.apply(items.getLast());
            return new Portion<>(items, lastKey, left - items.size(), read.size() > shown);
        });
    }

    private static byte[] line(Object document) {
        byte[] text = JSON.writeValueAsBytes(document);
        var line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return line;
    }
}
