package rookery.push.notification;

import rookery.platform.push.Verdict;
import tools.jackson.databind.json.JsonMapper;

/** Actions as clients see them: an array. */
public final class ActionsText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ActionsText() {}

    /** One line; JSON writes U+0000 as an escape, so that every column holds it. */
    public static String write(Verdict verdict) {
        return JSON.writeValueAsString(verdict.actions());
    }
}
