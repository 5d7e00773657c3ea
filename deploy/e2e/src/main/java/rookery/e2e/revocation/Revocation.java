// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.revocation;

import java.io.IOException;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;

/** A way to end a session or a permission, and the request that is refused afterwards. */
enum Revocation {
    LOGOUT("/v3/account/whoami", 401),
    BLOCK("/v3/account/whoami", 401),
    DEMOTION("/v3/admin/users?limit=1", 403);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 500;

    private final String path;
    private final int refusal;

    Revocation(String path, int refusal) {
        this.path = path;
        this.refusal = refusal;
    }

    Answer use(Session session) throws IOException {
        return session.call("GET", path, null);
    }

    /** Whether the answer shows that the gateway accepts the session with its permission. */
    static boolean isAccepted(Answer answer) {
        return answer.status() == OK;
    }

    /** Whether the answer is a refusal of the ended session or permission. */
    boolean isRefused(Answer answer) {
        return answer.status() == refusal;
    }

    /** Whether the answer says nothing: the server is not available. */
    static boolean isUnavailable(Answer answer) {
        return answer.status() >= UNAVAILABLE;
    }

    /** Ends the session or permission. False if no answer confirms it. */
    boolean run(Session ended, Session administrator, Demotion demotion) {
        try {
            return switch (this) {
                case LOGOUT -> ended.call("POST", "/v3/logout", Map.of()).status() == OK;
                case BLOCK ->
                    administrator
                                    .call(
                                            "POST",
                                            "/v3/admin/users/%s/block".formatted(Paths.encoded(ended.userId())),
                                            Map.of())
                                    .status()
                            == OK;
                case DEMOTION -> demotion.set(ended.userId(), false).status() == OK;
            };
        } catch (IOException _) {
            return false;
        }
    }

    /** Grants or revokes the rights of an administrator, as the operator. */
    @FunctionalInterface
    interface Demotion {
        Answer set(String user, boolean admin) throws IOException;
    }
}
