package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import rookery.model.caller.Caller;
import rookery.model.caller.Caller.Anonymous;
import rookery.model.caller.Caller.Known;
import rookery.model.caller.Caller.Reason;
import rookery.model.error.ApiException;
import rookery.model.id.DeviceId;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class SignatureTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String KEY = "0123456789abcdef0123456789abcdef";

    private static CallerSignature callers(String key, Instant now) {
        return new CallerSignature(new InternalProperties(key), Clock.fixed(now, ZoneOffset.UTC));
    }

    private static ServiceCredential at(Instant now) {
        return new ServiceCredential(new InternalProperties(KEY), Clock.fixed(now, ZoneOffset.UTC));
    }

    private static Caller caller(Caller.Who who) {
        return new Caller(new TenantId(1), new ServerName("example.org"), who, "192.0.2.1", "r1", NOW.plusSeconds(30));
    }

    @Test
    void aCallerComesBackAsItWas() {
        var known = caller(new Known(new UserId("@ada:example.org"), new DeviceId("D"), true));
        var nobody = caller(new Anonymous(Reason.EXPIRED));
        var callers = callers(KEY, NOW);

        assertThat(callers.verified(callers.sign(known))).isEqualTo(known);
        assertThat(callers.verified(callers.sign(nobody))).isEqualTo(nobody);
    }

    @Test
    void nobodyElseCanVouchForACallerAndNotForLong() {
        String header = callers(KEY, NOW).sign(caller(new Anonymous(Reason.MISSING)));

        assertThat(callers("another key, another key, another key", NOW).verified(header))
                .isNull();
        // a client takes 403 as final, and nothing is wrong with it when the clocks of two machines differ
        assertThatThrownBy(() -> callers(KEY, NOW.plusSeconds(31)).verified(header))
                .isInstanceOfSatisfying(
                        ApiException.class, over -> assertThat(over.status).isEqualTo(503));
        for (int i = 0; i < header.length() - 1; i++) {
            String damaged = header.substring(0, i) + (header.charAt(i) == 'A' ? 'B' : 'A') + header.substring(i + 1);
            assertThat(callers(KEY, NOW).verified(damaged)).as("character " + i).isNull();
        }
        for (String nonsense : new String[] {"", "v1.", "v1..", "v1.a", "x", "v1.é.é"}) {
            assertThat(callers(KEY, NOW).verified(nonsense)).isNull();
        }
    }

    @Test
    void aServiceIsNoCallerAndACallerNoService() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var services = new ServiceCredential(new InternalProperties(KEY), clock);

        assertThat(services.isGenuine(services.sign())).isTrue();
        assertThat(services.isGenuine(callers(KEY, NOW).sign(caller(new Anonymous(Reason.MISSING)))))
                .isFalse();
        assertThat(callers(KEY, NOW).verified(services.sign())).isNull();
        assertThat(at(NOW.plusSeconds(599)).isGenuine(services.sign())).isTrue();
        assertThatThrownBy(() -> at(NOW.plusSeconds(601)).isGenuine(services.sign()))
                .isInstanceOfSatisfying(
                        ApiException.class, over -> assertThat(over.status).isEqualTo(503));
    }
}
