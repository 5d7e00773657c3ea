// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import java.util.Arrays;

/**
 * The marks of a sync token, by name; immutable. An unset mark is 0.
 *
 * <p>Marks of a newer release are kept although this release does not know their meaning: the newer release's streams continue
 * from them when the client returns.
 */
public final class Marks {
    public static final Marks NONE = new Marks();

    /** By {@link Mark#place}, without trailing zeros, because waiting requests keep marks in memory. */
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

    public long of(Mark mark) {
        return mark.place < values.length ? values[mark.place] : 0;
    }

    /** Returns the run of the node that wrote the token, or 0. */
    public long node() {
        return of(Mark.NODE);
    }

    public CountsDoubt countsDoubt() {
        return CountsDoubt.of(of(Mark.COUNTS_DOUBT));
    }

    public boolean isNone() {
        return values.length == 0;
    }

    public Marks with(Mark mark, long value) {
        if (of(mark) == value) {
            return this;
        }
        long[] changed = Arrays.copyOf(values, Math.max(values.length, mark.place + 1));
        changed[mark.place] = value;
        return of(changed);
    }

    /** Returns these marks for a run of a node: clears the node marks of any other run. */
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
