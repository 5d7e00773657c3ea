// SPDX-License-Identifier: Apache-2.0
package rookery.admin;

import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;

/** Parses ids that administrators name: only ids of their own server are accepted (contract.md 5). */
public final class Local {
    private Local() {}

    /** M_INVALID_PARAM if the text is no user id or the user is of another server. */
    public static UserId user(Caller caller, String text) {
        var user = new UserId(text);
        if (!user.isOf(caller.server())) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "this user is not local: administer it on its own server");
        }
        return user;
    }

    /** M_INVALID_PARAM if the text is no room id or names another server. An id without a server name may be local. */
    public static RoomId room(Caller caller, String text) {
        var room = new RoomId(text);
        if (!room.isHash() && !text.endsWith(":" + caller.server().value())) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "this room is not local: administer it on its own server");
        }
        return room;
    }
}
