package rookery.auth.keys;

import java.util.Locale;

/** What a user's key is for. */
enum Usage {
    /** Stands for the user, and signs the other two. */
    MASTER,
    /** Signs the user's own devices. */
    SELF_SIGNING,
    /** Signs the master keys of others; shown to its owner only. */
    USER_SIGNING;

    /** As {@code usage} in a key, and in the table. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The field of an upload. */
    String field() {
        return text() + "_key";
    }

    static Usage of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
