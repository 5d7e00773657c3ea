// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

/** The key of a stream's content in an answer, or in a room of an answer. */
@SuppressWarnings("UnusedTypeParameter") // the type of the value under this key
public final class ContentKey<T> {
    private final String name;

    /** @param name shown by debuggers */
    public ContentKey(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
