// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;
import rookery.gateway.routing.Destination.Service;

class SuspendedUsersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /_matrix/client/v3/sync",
                "GET /_matrix/client/v3/rooms/!r:b/messages",
                "GET /_matrix/client/v1/media/download/b/1",
                "POST /_matrix/client/r0/user/@a:b/filter",
                "POST /_api/client/v3/search",
                "POST /_matrix/client/v3/rooms/!r:b/leave",
                "PUT /_matrix/client/v3/rooms/%21r%3Ab/redact/$e/1",
                "PUT /_matrix/client/v3/rooms/!r:b/send/m.room.redaction/1",
                "POST /_matrix/client/v3/logout",
                "POST /_matrix/client/v3/logout/all",
                "DELETE /_matrix/client/v3/devices/D",
                "POST /_matrix/client/v3/delete_devices",
                "POST /_matrix/client/v3/login",
                "POST /v1/login/get_token",
                "POST /_matrix/client/v3/refresh",
                "POST /_matrix/client/v3/account/deactivate",
                "POST /_matrix/client/v3/keys/upload",
                "POST /_matrix/client/v3/keys/device_signing/upload",
                "PUT /_matrix/client/v3/sendToDevice/m.key.verification.start/1",
                "PUT /_matrix/client/v3/room_keys/keys/!r:b/s",
                "PUT /_matrix/client/v3/user/@a:b/account_data/m.cross_signing.master",
                "PUT /_matrix/client/v3/user/@a:b/account_data/m.secret_storage.key.1",
            })
    void suspendedUserReadsLeavesAndLogsOut(String request) {
        assertThat(mayAsk(request)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /_matrix/client/v3/createRoom",
                "PUT /_matrix/client/v3/rooms/!r:b/send/m.room.message/1",
                "PUT /_matrix/client/v3/rooms/!r:b/send/m.room.redaction/1/2",
                "PUT /_matrix/client/v3/rooms/!r:b/state/m.room.topic",
                "PUT /_matrix/client/v3/rooms/!r:b/state/m.room.member/@a:b",
                "POST /_matrix/client/v3/rooms/!r:b/join",
                "POST /_matrix/client/v3/join/!r:b",
                "POST /_matrix/client/v3/knock/!r:b",
                "POST /_matrix/client/v3/rooms/!r:b/invite",
                "POST /_matrix/client/v3/rooms/!r:b/kick",
                "POST /_matrix/client/v3/rooms/leave/join",
                "POST /_matrix/client/v3/rooms/!r:b/upgrade",
                "PUT /_matrix/client/v3/rooms/!r:b/typing/@a:b",
                "POST /_matrix/client/v3/rooms/!r:b/receipt/m.read/$e",
                "PUT /_matrix/client/v3/profile/@a:b/displayname",
                "DELETE /_matrix/client/v3/profile/@a:b/displayname",
                "PUT /_matrix/client/v3/presence/@a:b/status",
                "PUT /_matrix/client/v3/directory/room/%23a:b",
                "PUT /_matrix/client/v3/user/@a:b/account_data/m.direct",
                "PUT /_matrix/client/v3/user/@a:b/rooms/!r:b/account_data/m.cross_signing.master",
                "POST /_matrix/client/v3/user/@a:b/openid/request_token",
                "POST /_matrix/client/v3/account/password",
                "POST /_matrix/client/v3/account/3pid/add",
                "POST /_matrix/client/v3/account/3pid/delete",
                "POST /_matrix/client/v3/pushers/set",
                "POST /_matrix/media/v3/upload",
                "POST /_matrix/media/v1/create",
                "PUT /_matrix/client/v3/devices/D",
            })
    void suspendedUserDoesNothingElse(String request) {
        assertThat(mayAsk(request)).isFalse();
    }

    private static boolean mayAsk(String request) {
        var words = request.split(" ", 2);
        assertThat(PathTable.find(words[1])).isInstanceOf(Service.class);
        return SuspendedUsers.mayAsk(HttpMethod.valueOf(words[0]), ((Service) PathTable.find(words[1])).path());
    }
}
