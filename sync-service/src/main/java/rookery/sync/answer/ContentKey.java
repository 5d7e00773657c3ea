package rookery.sync.answer;

/**
 * Names what a stream puts into an answer, or into a room of it; the same key takes it out again, to be written.
 *
 * @param <T> what is put there; never empty: what is not there needs no room
 */
@SuppressWarnings("UnusedTypeParameter") // it says what stands under the key
public final class ContentKey<T> {
    private final String name;

    /** @param name for people who look at an answer in a debugger */
    public ContentKey(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
