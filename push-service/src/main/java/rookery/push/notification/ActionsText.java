// SPDX-License-Identifier: Apache-2.0
package rookery.push.notification;

import rookery.platform.push.Verdict;
import tools.jackson.databind.json.JsonMapper;

/** Writes actions of push rules as a JSON array. */
public final class ActionsText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ActionsText() {}

    /** One line; JSON escapes U+0000, so PostgreSQL can store the text. */
    public static String write(Verdict verdict) {
        return JSON.writeValueAsString(verdict.actions());
    }
}
