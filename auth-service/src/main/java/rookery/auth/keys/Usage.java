// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.Locale;

/** The usage of a cross-signing key. */
enum Usage {
    /** Identifies the user; signs the other two keys. */
    MASTER,
    /** Signs the user's own devices. */
    SELF_SIGNING,
    /** Signs the master keys of other users; visible only to its owner. */
    USER_SIGNING;

    /** The value of {@code usage} in a key, and in the table. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The field of the key in an upload. */
    String field() {
        return text() + "_key";
    }

    static Usage of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
