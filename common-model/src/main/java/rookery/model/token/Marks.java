package rookery.model.token;

import java.util.Arrays;

/**
 * The marks of a sync token, by name; immutable. One that was never set is 0.
 *
 * <p>Marks that a newer release added are kept, though nobody here knows what they say: what a stream of that release has told goes on
 * from there when the client comes back to it.
 */
public final class Marks {
    /** Nothing is marked. */
    public static final Marks NONE = new Marks();

    /** By {@link Mark#place}, without zeros at the end: waiting requests hold them. */
    private final long[] values;

    private Marks(long... values) {
        this.values = values;
    }

    static Marks of(long... values) {
        int length = values.length;
        while (length > 0 && values[length - 1] == 0) {
            length--;
        }
        return length == 0 ? NONE : new Marks(Arrays.copyOf(values, length));
    }

    /** 0 if it was never set. */
    public long of(Mark mark) {
        return mark.place < values.length ? values[mark.place] : 0;
    }

    /** The run of the node that wrote the token; 0 for none. */
    public long node() {
        return of(Mark.NODE);
    }

    /** Whether the client may have been told unread counts that are not the final ones. */
    public CountsDoubt countsDoubt() {
        return CountsDoubt.of(of(Mark.COUNTS_DOUBT));
    }

    /** Whether nothing is marked. */
    public boolean isNone() {
        return values.length == 0;
    }

    /** The same with another value. */
    public Marks with(Mark mark, long value) {
        if (of(mark) == value) {
            return this;
        }
        long[] changed = Arrays.copyOf(values, Math.max(values.length, mark.place + 1));
        changed[mark.place] = value;
        return of(changed);
    }

    /** The same as a run of a node goes on with it: what another one had marked for itself is gone. */
    public Marks at(long node) {
        if (node() == node) {
            return this;
        }
        long[] changed = Arrays.copyOf(values, Math.max(values.length, 1));
        for (var mark : Mark.values()) {
            if (mark.isOfNode && mark.place < changed.length) {
                changed[mark.place] = 0;
            }
        }
        changed[Mark.NODE.place] = node;
        return of(changed);
    }

    long[] values() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Marks marks && Arrays.equals(values, marks.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
