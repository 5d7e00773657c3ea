// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.UserId;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules for the types and contents of account data (contract.md 13.2). */
final class DataRules {
    private static final int CONTENT_BYTES_MAX = 65_536;
    /** Only push-service writes push rules. One content has all rules of a user, each of which a client may set. */
    private static final int PUSH_RULES_BYTES_MAX = 8 * CONTENT_BYTES_MAX;

    private static final int METHOD_NOT_ALLOWED = 405;
    private static final Set<String> SERVER_MANAGED = Set.of(AccountDataTypes.FULLY_READ, AccountDataTypes.PUSH_RULES);

    private DataRules() {}

    /** 405 for the types that only the server writes. */
    static void requireClients(DataKey key) {
        if (SERVER_MANAGED.contains(key.type())) {
            throw new ApiException(
                            ErrorCode.M_BAD_JSON, "the server manages " + key.type() + ", it has endpoints of its own")
                    .withStatus(METHOD_NOT_ALLOWED);
        }
    }

    /** The canonical text to store and serve. M_BAD_JSON; M_TOO_LARGE above 64 KiB, for push rules above 512 KiB. */
    static String checked(DataKey key, ObjectNode content) {
        String text = CanonicalJson.writeWithFloats(content);
        int max = key.type().equals(AccountDataTypes.PUSH_RULES) ? PUSH_RULES_BYTES_MAX : CONTENT_BYTES_MAX;
        if (text.getBytes(StandardCharsets.UTF_8).length > max) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "this account data has at most " + max + " bytes");
        }
        if (key.type().equals(AccountDataTypes.IGNORED_USERS) && key.room() == null) {
            requireIgnoreList(content);
        }
        return text;
    }

    /** The server applies the ignore list: a list that the server cannot parse is refused. */
    private static void requireIgnoreList(ObjectNode content) {
        if (!(content.get("ignored_users") instanceof ObjectNode users)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "ignored_users must be an object of user ids");
        }
        for (var entry : users.properties()) {
            requireUser(entry.getKey(), entry.getValue());
        }
    }

    private static void requireUser(String id, JsonNode value) {
        try {
            var _ = new UserId(id);
        } catch (ApiException _) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "ignored_users must be an object of user ids");
        }
        if (!value.isObject()) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "each of ignored_users must be an object");
        }
    }
}
