package rookery.sync.answer;

import org.jspecify.annotations.Nullable;

/** What streams have put somewhere, by key: a list, because it is short, and empty in the answers that waiting requests hold. */
class Contents {
    private @Nullable Entry last;

    private record Entry(
            ContentKey<?> key, Object value, @Nullable Entry before) {}

    /** Puts it there, instead of what may be there. */
    public final <T> void put(ContentKey<T> key, T value) {
        last = new Entry(key, value, last);
    }

    /** Null if nothing was put there. */
    @SuppressWarnings("unchecked") // what a key finds was put there with it
    public final <T> @Nullable T get(ContentKey<T> key) {
        for (var entry = last; entry != null; entry = entry.before) {
            if (entry.key.equals(key)) {
                return (T) entry.value;
            }
        }
        return null;
    }
}
