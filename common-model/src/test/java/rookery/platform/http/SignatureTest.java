// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.POST;
import static rookery.platform.http.ServiceName.ADMIN;
import static rookery.platform.http.ServiceName.AUTH;
import static rookery.platform.http.ServiceName.DIRECTORY;
import static rookery.platform.http.ServiceName.GATEWAY;
import static rookery.platform.http.ServiceName.PUSH;
import static rookery.platform.http.ServiceName.ROOM;
import static rookery.platform.http.ServiceName.SYNC;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Locked;
import rookery.model.caller.Caller.Prefix;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class SignatureTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String MASTER = "0123456789abcdef0123456789abcdef";
    private static final String ROOMS = "room-service";
    private static final String PATH = "/_api/client/v3/rooms/%21r/leave";

    private static CallerSignature callers(ServiceKeys keys, Instant now) {
        return new CallerSignature(keys, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static CallerSignature callers(ServiceName own) {
        return callers(ServiceKeys.derived(own, MASTER), NOW);
    }

    private static ServiceCredential credentials(ServiceKeys keys, Instant now) {
        return new ServiceCredential(keys, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static ServiceCredential credentials(ServiceName own) {
        return credentials(ServiceKeys.derived(own, MASTER), NOW);
    }

    private static Caller caller(Caller.Identity who) {
        return new Caller(new TenantId(1), new ServerName("example.org"), who, "192.0.2.1", "r1", NOW.plusSeconds(30));
    }

    private static final Caller NOBODY = caller(new Anonymous(Reason.MISSING));

    @Test
    void aCallerComesBackAsItWas() {
        var known = caller(new Known(new UserId("@ada:example.org"), new DeviceId("D"), true));
        var suspended = caller(new Known(new UserId("@ada:example.org"), new DeviceId("D"), false, true));
        var locked = caller(new Locked(new UserId("@ada:example.org"), new DeviceId("D")));
        var nobody = caller(new Anonymous(Reason.EXPIRED));
        var byStandard = new Caller(
                known.tenant(),
                known.server(),
                known.who(),
                Prefix.STANDARD,
                known.ip(),
                known.requestId(),
                known.expiry());

        for (var each : List.of(known, suspended, locked, nobody, byStandard)) {
            var header = callers(GATEWAY).sign(each, ROOMS, POST, PATH);
            assertThat(callers(ROOM).verified(header, POST, PATH)).isEqualTo(each);
        }
    }

    @Test
    void nobodyElseCanVouchForACallerAndNotForLong() {
        String header = callers(GATEWAY).sign(NOBODY, ROOMS, POST, PATH);

        assertThat(callers(ServiceKeys.derived(ROOM, "another master"), NOW).verified(header, POST, PATH))
                .isNull();
        // clients take a 403 as final, but the cause is only a difference of clocks
        var later = callers(ServiceKeys.derived(ROOM, MASTER), NOW.plusSeconds(31));
        assertThatThrownBy(() -> later.verified(header, POST, PATH))
                .isInstanceOfSatisfying(
                        ApiException.class, over -> assertThat(over.status).isEqualTo(503));
        for (int i = 0; i < header.length() - 1; i++) {
            String damaged = header.substring(0, i) + (header.charAt(i) == 'A' ? 'B' : 'A') + header.substring(i + 1);
            assertThat(callers(ROOM).verified(damaged, POST, PATH))
                    .as("character " + i)
                    .isNull();
        }
        for (String nonsense : new String[] {"", "v2.", "v2..", "v2...", "v2.a", "v2.a.b", "x", "v2.é.é.é", "v1.a.b"}) {
            assertThat(callers(ROOM).verified(nonsense, POST, PATH)).isNull();
        }
    }

    @Test
    void whatWasSignedForOneRequestIsGoodForNoOther() {
        var header = callers(GATEWAY).sign(NOBODY, ROOMS, POST, PATH);
        assertThat(callers(ROOM).verified(header, GET, PATH)).isNull();
        assertThat(callers(ROOM).verified(header, POST, PATH + "/")).isNull();
        assertThat(callers(ROOM).verified(header, POST, PATH.replace("%21", "!")))
                .isNull();
        assertThat(callers(SYNC).verified(header, POST, PATH)).isNull();

        var credential = credentials(SYNC).sign(ROOMS, POST, "/internal/sync");
        assertThat(credentials(ROOM).verified(credential, POST, "/internal/sync"))
                .isEqualTo(SYNC);
        assertThat(credentials(ROOM).verified(credential, GET, "/internal/sync"))
                .isNull();
        assertThat(credentials(ROOM).verified(credential, POST, "/internal/events"))
                .isNull();
        assertThat(credentials(PUSH).verified(credential, POST, "/internal/sync"))
                .isNull();
    }

    @Test
    void aServiceIsNoCallerAndACallerNoService() {
        var caller = callers(GATEWAY).sign(NOBODY, ROOMS, POST, PATH);
        var credential = credentials(GATEWAY).sign(ROOMS, POST, PATH);

        assertThat(credentials(ROOM).verified(caller, POST, PATH)).isNull();
        assertThat(callers(ROOM).verified(credential, POST, PATH)).isNull();
        assertThat(callers(ROOM).verified(callers(SYNC).sign(NOBODY, ROOMS, POST, PATH), POST, PATH))
                .as("only the gateway vouches for callers")
                .isNull();
    }

    @Test
    void aCredentialHoldsForTenMinutesOfClocksThatDiffer() {
        var credential = credentials(SYNC).sign(ROOMS, GET, "/internal/ready");
        var rooms = ServiceKeys.derived(ROOM, MASTER);

        assertThat(credentials(rooms, NOW.plusSeconds(599)).verified(credential, GET, "/internal/ready"))
                .isEqualTo(SYNC);
        assertThat(credentials(rooms, NOW.minusSeconds(599)).verified(credential, GET, "/internal/ready"))
                .isEqualTo(SYNC);
        assertThatThrownBy(() -> credentials(rooms, NOW.plusSeconds(601)).verified(credential, GET, "/internal/ready"))
                .isInstanceOfSatisfying(
                        ApiException.class, over -> assertThat(over.status).isEqualTo(503));
    }

    @Test
    void aServiceHasNoKeyForCallsThatItDoesNotMake() {
        assertThatThrownBy(() -> credentials(PUSH).sign("directory-service", GET, "/internal/ready"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(DIRECTORY.keyNames()).noneMatch(name -> name.contains("admin-service>room-service"));
        assertThat(ADMIN.keyNames()).noneMatch(name -> name.equals("records") || name.equals("tokens"));
    }

    @Test
    void twoKeysAreValidAtOnceWhileOneReplacesTheOther() {
        var oldKeys = KeyDerivation.keysOf(SYNC, MASTER);
        var old = credentials(SYNC).sign(ROOMS, GET, "/internal/ready");
        var made =
                credentials(ServiceKeys.derived(SYNC, "the next master"), NOW).sign(ROOMS, GET, "/internal/ready");

        var both = new ArrayList<>(KeyDerivation.keysOf(ROOM, MASTER));
        both.addAll(KeyDerivation.keysOf(ROOM, "the next master"));
        var rooms = credentials(new ServiceKeys(ROOM, new InternalProperties(both)), NOW);
        assertThat(rooms.verified(old, GET, "/internal/ready")).isEqualTo(SYNC);
        assertThat(rooms.verified(made, GET, "/internal/ready")).isEqualTo(SYNC);
        assertThat(credentials(ROOM).verified(made, GET, "/internal/ready"))
                .as("signed with a key whose id nobody knows")
                .isNull();

        var syncKeys = new ArrayList<>(oldKeys);
        syncKeys.addAll(KeyDerivation.keysOf(SYNC, "the next master"));
        var first = credentials(new ServiceKeys(SYNC, new InternalProperties(syncKeys)), NOW);
        assertThat(first.sign(ROOMS, GET, "/internal/ready"))
                .as("the first one signs")
                .isEqualTo(old);
    }

    @Test
    void whatIsMissingIsNamedAndWhatIsWrongIsNotRepeated() {
        assertThatThrownBy(() -> new ServiceKeys(AUTH, new InternalProperties(List.of())))
                .hasMessageContaining("rookery.internal.keys")
                .hasMessageContaining("gateway>auth-service")
                .hasMessageContaining("records");
        assertThatThrownBy(() -> new InternalProperties(List.of("records=hunter2")))
                .hasMessageContaining("entry 1")
                .hasMessageNotContaining("hunter2");
    }
}
