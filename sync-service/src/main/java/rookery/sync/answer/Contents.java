// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import org.jspecify.annotations.Nullable;

/** Content that streams added, by key. A linked list: contents are few, and an empty one costs nothing in waiting requests. */
class Contents {
    private @Nullable Entry last;

    private record Entry(
            ContentKey<?> key, Object value, @Nullable Entry before) {}

    public final <T> void put(ContentKey<T> key, T value) {
        last = new Entry(key, value, last);
    }

    /** Null without content under this key. */
    @SuppressWarnings("unchecked") // put() checked the type
    public final <T> @Nullable T get(ContentKey<T> key) {
        for (var entry = last; entry != null; entry = entry.before) {
            if (entry.key.equals(key)) {
                return (T) entry.value;
            }
        }
        return null;
    }
}
