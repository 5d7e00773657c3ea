// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Nowhere;
import rookery.gateway.routing.Destination.Own;
import rookery.gateway.routing.Destination.Service;
import rookery.model.caller.Caller.Prefix;
import rookery.model.error.ErrorCode;

class PathTableTest {
    @Test
    void whereClientsShallConnectIsAskedOutsideOfAnyPrefix() {
        assertThat(PathTable.find("/.well-known/matrix/client"))
                .isEqualTo(new Service("auth-service", "/.well-known/matrix/client", null, Kind.REQUEST, false));
        assertThat(PathTable.find("/.well-known/matrix/support"))
                .isEqualTo(new Service("auth-service", "/.well-known/matrix/support", null, Kind.REQUEST, false));
        assertThat(PathTable.find("/.well-known/matrix/server")).isInstanceOf(Nowhere.class);
        assertThat(PathTable.find("/.well-known/matrix/client/")).isInstanceOf(Nowhere.class);
        assertThat(PathTable.find("/_matrix/client/.well-known/matrix/client")).isInstanceOf(Nowhere.class);
    }

    @Test
    void whoseAnOpenIdTokenIsIsAllThatIsHereOfTheFederation() {
        String path = "/_matrix/federation/v1/openid/userinfo";
        assertThat(PathTable.find(path)).isEqualTo(new Service("auth-service", path, null, Kind.USERINFO, false));
        assertThat(PathTable.find(path + "/")).isInstanceOf(Nowhere.class);
        assertThat(PathTable.find("/_matrix/federation/v1/version")).isInstanceOf(Nowhere.class);
    }

    @Test
    void pagesOfTheConsoleAreThoseOfAdminService() {
        assertThat(PathTable.find("/_rookery/console/")).isEqualTo(PathTable.find("/_rookery/console"));
        for (String path :
                List.of("/_rookery/console", "/_rookery/console/users/@a:b", "/_rookery/console/rooms/%21r")) {
            assertThat(PathTable.find(path)).isEqualTo(new Service("admin-service", path, null, Kind.REQUEST, false));
            assertThat(PathTable.isConsole(path)).isTrue();
        }
        for (String path : List.of(
                "/_rookery/consoles",
                "/_rookery/console/../../internal/x",
                "/_rookery/console/%2e%2e/x",
                "/_rookery/console//users",
                "/_rookery/console/users/",
                "/_rookery/console/users;x")) {
            assertThat(PathTable.find(path)).as(path).isInstanceOf(Nowhere.class);
        }
        assertThat(PathTable.isConsole("/_rookery/consoles")).isFalse();
    }

    @Test
    void oldClientsAskForTheSameByItsOldName() {
        assertThat(PathTable.find("/_matrix/client/r0/login")).isEqualTo(PathTable.find("/_matrix/client/v3/login"));
        assertThat(PathTable.find("/_api/client/r0/rooms/!r:b/state/m.x/"))
                .isEqualTo(PathTable.find("/_api/client/v3/rooms/!r:b/state/m.x/"));
        assertThat(PathTable.find("/_matrix/client/r0")).isInstanceOf(Nowhere.class);
        assertThat(PathTable.find("/_matrix/client/r00/login")).isInstanceOf(Nowhere.class);
    }

    @Test
    void accountDataIsDeletedByTheNameOfItsProposal() {
        assertThat(PathTable.find("/_matrix/client/unstable/org.matrix.msc3391/user/@a:b/account_data/m.x"))
                .isEqualTo(PathTable.find("/_matrix/client/v3/user/@a:b/account_data/m.x"));
        assertThat(PathTable.find("/_matrix/client/unstable/org.matrix.msc3391"))
                .isInstanceOf(Nowhere.class);
    }

    /** M_UNRECOGNIZED tells clients that the server has no OAuth 2.0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1/auth_metadata",
                "unstable/org.matrix.msc2965/auth_metadata",
                "unstable/org.matrix.msc2965/auth_issuer"
            })
    void thereIsNoMetadataOfOAuth(String path) {
        assertThat(PathTable.find("/_matrix/client/" + path))
                .isInstanceOfSatisfying(
                        Nowhere.class,
                        nowhere -> assertThat(nowhere.refusal().code).isEqualTo(ErrorCode.M_UNRECOGNIZED));
    }

    @ParameterizedTest
    @CsvSource({
        "v3/login, auth-service",
        "v3/login/sso/redirect/x, auth-service",
        "v1/login/get_token, auth-service",
        "v3/register, auth-service",
        "v3/register/available, auth-service",
        "v3/register/email/requestToken, auth-service",
        "v1/register/m.login.registration_token/validity, auth-service",
        "v3/refresh, auth-service",
        "v3/token/refresh, auth-service",
        "v3/logout/all, auth-service",
        "v3/account/whoami, auth-service",
        "v3/account/3pid/email/requestToken, auth-service",
        "v3/devices/D, auth-service",
        "v3/delete_devices, auth-service",
        "v3/profile/@a:b/displayname, auth-service",
        "v3/user/@a:b/account_data/m.x, auth-service",
        "v3/user/@a:b/rooms/!r:b/tags/u.x, auth-service",
        "v3/user/@a:b/filter, sync-service",
        "v3/user/@a:b/filter/7, sync-service",
        "v3/keys/upload, auth-service",
        "v3/keys/changes, sync-service",
        "v3/room_keys/version, auth-service",
        "v3/sendToDevice/m.x/1, auth-service",
        "v3/capabilities, auth-service",
        "v3/validate/email/submitToken, auth-service",
        "v3/auth/m.login.terms/fallback/web, auth-service",
        "v3/createRoom, room-service",
        "v3/joined_rooms, room-service",
        "v3/join/%23a:b, room-service",
        "v3/knock/!r:b, room-service",
        "v3/search, room-service",
        "v3/rooms/!r:b/send/m.room.message/1, room-service",
        "v3/rooms/!r:b/state/m.x/, room-service",
        "v3/rooms/!r:b/state/aliases, room-service",
        "v1/rooms/!r:b/hierarchy, room-service",
        "v3/rooms/!r:b/aliases, directory-service",
        "v3/directory/room/%23a:b, directory-service",
        "v3/publicRooms, directory-service",
        "v3/user_directory/search, directory-service",
        "v3/sync, sync-service",
        "v3/filter, sync-service",
        "v3/presence/@a:b/status, sync-service",
        "v3/pushrules, push-service",
        "v3/pushrules/, push-service",
        "v3/pushrules/global/, push-service",
        "v3/pushers/set, push-service",
        "v3/notifications, push-service",
        "v3/admin/users, admin-service",
        "v1/admin/lock/@a:b, admin-service",
        "stats, admin-service",
        "metrics, admin-service",
    })
    void everyPathHasItsServiceUnderBothPrefixes(String path, String service) {
        var ours = (Service) PathTable.find("/_api/client/" + path);
        assertThat(ours.service()).isEqualTo(service);
        assertThat(ours.path()).isEqualTo("/_api/client/" + path);
        assertThat(PathTable.find("/_matrix/client/" + path)).isEqualTo(ours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3/voip/turnServer", "v1/rtc/transports", "unstable/org.matrix.msc4143/rtc/transports"})
    void authServiceNamesTheServersOfCalls(String path) {
        assertThat(PathTable.find("/_matrix/client/" + path))
                .isEqualTo(new Service("auth-service", "/_api/client/" + path, null, Kind.REQUEST, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1/server_version", "v2/users/@a:b", "v1/rooms/!r:b/state", "v1/media/a.test/x%2Fy"})
    void toolsForSynapseFindTheAdministration(String path) {
        assertThat(PathTable.find("/_synapse/admin/" + path))
                .isEqualTo(new Service("admin-service", "/_synapse/admin/" + path, null, Kind.REQUEST, false));
    }

    @Test
    void thePrefixOfAPathIsKnown() {
        assertThat(PathTable.prefix("/_api/client/v3/sync")).isEqualTo(Prefix.OWN);
        assertThat(PathTable.prefix("/v1/login/get_token")).isEqualTo(Prefix.OWN);
        assertThat(PathTable.prefix("/_matrix/client/v3/sync")).isEqualTo(Prefix.STANDARD);
        assertThat(PathTable.prefix("/_matrix/client/r0/sync")).isEqualTo(Prefix.STANDARD);
        assertThat(PathTable.prefix("/_matrix/media/v3/config")).isEqualTo(Prefix.STANDARD);
    }

    @ParameterizedTest
    @CsvSource({
        "v1/mutual_rooms, REQUEST, ",
        "v1/room_summary/!r:b, REQUEST, !r:b",
        "unstable/uk.half-shot.msc2666/user/mutual_rooms, REQUEST, ",
        "unstable/im.nheko.summary/summary/!r:b, REQUEST, !r:b",
        "unstable/im.nheko.summary/summary/%23a:b, REQUEST, ",
        "unstable/im.nheko.summary/rooms/!r:b/summary, REQUEST, !r:b",
        "unstable/rooms/!r:b/relations/$e/m.thread, HEAVY, !r:b",
        "unstable/org.matrix.msc4140/rooms/!r:b/delayed_event/m.x/1, REQUEST, !r:b",
        "unstable/org.matrix.msc4140/delayed_events, REQUEST, ",
        "unstable/org.matrix.msc4140/delayed_events/id/send, REQUEST, ",
    })
    void standardAndFormerNamesLeadToRoomService(String path, Kind kind, @Nullable String room) {
        assertThat(PathTable.find("/_matrix/client/" + path))
                .isEqualTo(PathTable.find("/_api/client/" + path))
                .isEqualTo(new Service("room-service", "/_api/client/" + path, room, kind, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/_api/client",
                "/_api/client/",
                "/_api/client//v3/sync",
                "/_api/client/v3//sync",
                "/_api/client/v3/sync/",
                "/_api/client/v3/sync//",
                "/_api/client/health/",
                "/_api/client/v3/rooms/!r:b/",
                "/_api/client/v3/rooms//send/x/y",
                "/_api/client/v3/../v3/sync",
                "/_api/client/v3/%2e%2e/sync",
                "/_api/client/v3/%2E./admin/users",
                "/_api/client/v3/./sync",
                "/_api/client/v3/sync;x=y",
                "/_api/client/v3/admin/..;/sync",
                "/_api/client/v3;a/sync",
                "/_api/client/v2/sync",
                "/_api/client/unstable/sync",
                "/_api/client/unstable/rooms/!r:b/messages",
                "/_api/client/unstable/rooms/!r:b",
                "/_api/client/unstable",
                "/_api/client/v1/sync",
                "/_api/client/V3/sync",
                "/_api/client/v3/Sync",
                "/_api/client/v3",
                "/_api/client/v3/nothing",
                "/_api/client/health/else",
                "/_API/client/v3/sync",
                "/_matrix/federation/v1/version",
                "/_synapse/admin",
                "/_synapse/admin/",
                "/_synapse/admin/v2/users/",
                "/_synapse/admin/v2/../v2/users",
                "/_synapse/admin/v2//users",
                "/_synapse/admin/v2/users;x",
                "/_synapse/client/password_reset",
                "/_matrix/client/../../internal/ready",
                "/internal/ready",
                "/_api/client/internal/ready",
                "/_api/client/v3/internal/ready",
                "/actuator/health",
                "/_matrix/media/",
                "/_matrix/media/v3",
                "/_matrix/media/v1/upload",
                "/_matrix/media/v3/upload/",
                "/_matrix/media/v3/../v3/upload",
                "/_matrix/media/v3/sync",
                "/_api/client/v3/media/config",
                "/v1/login/get_token/",
                "/v3/login"
            })
    void aPathThatIsNotExactlyOneOfOursLeadsNowhere(String path) {
        var nowhere = (Nowhere) PathTable.find(path);
        assertThat(nowhere.refusal().code).isEqualTo(ErrorCode.M_UNRECOGNIZED);
        assertThat(nowhere.refusal().status).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/_api/client/v3/rooms/%ff/state",
                "/_api/client/v3/rooms/%c3/state",
                "/_api/client/v3/rooms/%c0%af/state",
                "/_api/client/v3/rooms/%zz/state",
                "/_api/client/v3/rooms/x%/state",
                "/_api/client/v3/rooms/x%4/state",
                "/_api/client/v3/rooms/%ed%a0%80/state",
                "/_api/client/v3/rooms/é/state"
            })
    void whatIsNotEncodedUtf8IsRefused(String path) {
        var nowhere = (Nowhere) PathTable.find(path);
        assertThat(nowhere.refusal().status).isEqualTo(400);
    }

    @Test
    void anEncodedSlashIsDataAndTheEncodingIsKept() {
        var service = (Service) PathTable.find("/_api/client/v3/directory/room/%23a%2Fb:c");
        assertThat(service.path()).isEqualTo("/_api/client/v3/directory/room/%23a%2Fb:c");
        assertThat(service.service()).isEqualTo("directory-service");
    }

    @Test
    void aRoomIsTheKeyHoweverItIsEncoded() {
        var plain = (Service) PathTable.find("/_api/client/v3/rooms/!r:b/state");
        var encoded = (Service) PathTable.find("/_matrix/client/v3/rooms/%21r%3Ab/messages");
        assertThat(plain.key()).isEqualTo("!r:b").isEqualTo(encoded.key());
        assertThat(((Service) PathTable.find("/_api/client/v3/join/!r:b")).key())
                .isEqualTo("!r:b");
        assertThat(((Service) PathTable.find("/_api/client/v3/join/%23a:b")).key())
                .isNull();
        assertThat(((Service) PathTable.find("/_api/client/v3/sync")).key()).isNull();
    }

    @Test
    void onlySyncIsALongPoll() {
        for (var path : List.of("v3/sync", "v4/sync", "unstable/org.matrix.simplified_msc3575/sync")) {
            assertThat(kind("/_api/client/" + path)).isEqualTo(Kind.LONG_POLL);
            assertThat(((Service) PathTable.find("/_matrix/client/" + path)).service())
                    .isEqualTo("sync-service");
        }
        assertThat(PathTable.find("/_matrix/client/v4/rooms")).isInstanceOf(Nowhere.class);
        assertThat(kind("/_api/client/v3/rooms/sync")).isEqualTo(Kind.REQUEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v3/rooms/!r:b/messages",
                "v3/rooms/!r:b/%6Dessages",
                "v3/rooms/!r:b/context/$e",
                "v1/rooms/!r:b/relations/$e/m.thread",
                "v1/rooms/!r:b/threads",
                "v1/rooms/!r:b/hierarchy",
                "v3/rooms/!r:b/state",
                "v3/rooms/!r:b/members",
                "v3/rooms/!r:b/joined_members",
                "v3/search",
                "v3/notifications",
                "v3/publicRooms",
                "v3/user_directory/search",
                "v3/room_keys/keys",
                "v3/room_keys/keys/!r:b"
            })
    void readsOfManyThingsAreHeavy(String path) {
        assertThat(kind("/_matrix/client/" + path)).isEqualTo(Kind.HEAVY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v3/rooms/!r:b/state/m.x",
                "v3/rooms/!r:b/state/m.x/",
                "v3/room_keys/version",
                "v3/rooms/messages/x"
            })
    void whatIsOneThingIsNot(String path) {
        assertThat(kind("/_matrix/client/" + path)).isEqualTo(Kind.REQUEST);
    }

    private static Kind kind(String path) {
        return ((Service) PathTable.find(path)).kind();
    }

    @ParameterizedTest
    @CsvSource({
        "v3/upload,               UPLOAD",
        "v3/upload/a.test/x,      UPLOAD",
        "v1/create,               MEDIA",
        "v3/config,               MEDIA",
        "v3/download/a.test/x,    DOWNLOAD",
        "v3/download/a.test/x/%2Fy, DOWNLOAD",
        "v3/thumbnail/a.test/x,   MEDIA",
        "v3/preview_url,          MEDIA",
    })
    void mediaHavePrefixesOfTheirOwn(String path, Kind kind) {
        assertThat(PathTable.find("/_matrix/media/" + path))
                .isEqualTo(PathTable.find("/_api/media/" + path))
                .isEqualTo(new Service("room-service", "/_api/media/" + path, null, kind, false));
    }

    @Test
    void mediaWithATokenAreUnderThePrefixOfClientsToo() {
        assertThat(PathTable.find("/_matrix/client/v1/media/download/a.test/x"))
                .isEqualTo(new Service(
                        "room-service", "/_api/client/v1/media/download/a.test/x", null, Kind.DOWNLOAD, false));
        assertThat(PathTable.find("/_matrix/client/v1/media/preview_url"))
                .isEqualTo(PathTable.find("/_api/client/v1/media/preview_url"))
                .isEqualTo(new Service("room-service", "/_api/client/v1/media/preview_url", null, Kind.MEDIA, false));
        assertThat(PathTable.find("/_matrix/media/r0/upload")).isEqualTo(PathTable.find("/_api/media/v3/upload"));
    }

    @Test
    void theLegacyPathLeadsToTheLoginToken() {
        var service = (Service) PathTable.find("/v1/login/get_token");
        assertThat(service.path()).isEqualTo("/_api/client/v1/login/get_token");
    }

    @Test
    void healthAndMetricsAreOnAnyHost() {
        assertThat(PathTable.find("/_api/client/health")).isEqualTo(new Own("/_api/client/health", true));
        assertThat(PathTable.find("/_matrix/client/health/ready"))
                .isEqualTo(new Own("/_api/client/health/ready", true));
        assertThat(PathTable.find("/_api/client/metrics").onAnyHost()).isTrue();
        assertThat(PathTable.find("/_api/client/stats").onAnyHost()).isFalse();
        assertThat(PathTable.find("/_rookery/hosts")).isEqualTo(new Own("/_rookery/hosts", true));
        assertThat(PathTable.find("/")).isEqualTo(new Own("/", true));
        assertThat(PathTable.find("/_api/client/versions")).isEqualTo(new Own("/_api/client/versions", false));
    }
}
