// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rookery.auth.interactive.UiaSession.Binding;
import rookery.auth.interactive.UiaSession.Consumption;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.InternalProperties;
import rookery.platform.json.StrictJson;

class UiaSessionTest {
    private static final InteractiveProperties PROPERTIES =
            new InteractiveProperties(Duration.ofMinutes(60), Duration.ofHours(24), Duration.ofMinutes(5));
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void sessionLivesAnHourAfterItsLastUseAndADayAtMost() {
        assertThat(isDead(used(Duration.ofHours(1)), Duration.ofHours(2))).isFalse();
        assertThat(isDead(used(Duration.ofHours(1)), Duration.ofMinutes(121))).isTrue();
        assertThat(isDead(used(Duration.ofHours(24)), Duration.ofHours(24))).isFalse();
        assertThat(isDead(used(Duration.ofHours(24)), Duration.ofHours(25))).isTrue();
    }

    @Test
    void fiveFailuresOfOneStageKillASession() {
        assertThat(isDead(failed(Collections.nCopies(4, "a")), Duration.ZERO)).isFalse();
        assertThat(isDead(failed(List.of("a", "b", "a", "b", "a", "b", "a", "b")), Duration.ZERO))
                .isFalse();
        assertThat(isDead(failed(Collections.nCopies(5, "a")), Duration.ZERO)).isTrue();
    }

    @Test
    void finishedSessionAnswersAgainForFiveMinutes() {
        var finished = session(BEGIN, List.of(), new Consumption(BEGIN, new UserId("@a:alpha.example"), null));

        assertThat(isDead(finished, Duration.ofMinutes(5))).isFalse();
        assertThat(isDead(finished, Duration.ofMinutes(6))).isTrue();
    }

    @Test
    void stageLeadsOnOnlyInAFlowThatCanStillBeFinished() {
        var flows = new Flows(List.of(List.of("token", "terms"), List.of("email", "terms")));

        assertThat(flows.leadsOn(Set.of(), "terms")).isTrue();
        assertThat(flows.leadsOn(Set.of("token"), "terms")).isTrue();
        assertThat(flows.leadsOn(Set.of("token"), "email")).isFalse();
        assertThat(flows.leadsOn(Set.of(), "dummy")).isFalse();
        assertThat(flows.isComplete(Set.of("token", "terms"))).isTrue();
        assertThat(flows.isComplete(Set.of("token"))).isFalse();
    }

    @Test
    void sealedParametersOpenOnlyWithTheSessionsId() {
        var seal = new ParameterSeal(
                new InternalProperties(List.of("auth-service=" + "5".repeat(64))), new SecureRandom());
        byte[] sealed = seal.seal("{\"password\":\"geheim\"}", "id-1");

        assertThat(seal.open(sealed, "id-1")).isEqualTo("{\"password\":\"geheim\"}");
        assertThat(new String(sealed, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("geheim");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> seal.open(sealed, "id-2"))
                .isInstanceOf(IllegalStateException.class);
    }

    private static boolean isDead(UiaSession session, Duration later) {
        return session.isDead(BEGIN.plus(later), PROPERTIES);
    }

    private static UiaSession used(Duration later) {
        return session(BEGIN.plus(later), List.of(), null);
    }

    private static UiaSession failed(List<String> stages) {
        return session(BEGIN, stages, null);
    }

    private static UiaSession session(Instant used, List<String> failed, @Nullable Consumption consumed) {
        return new UiaSession(
                new TenantId(1),
                "id",
                new Binding(Operation.REGISTER.text(), null, null),
                StrictJson.object("{}"),
                List.of(),
                failed,
                BEGIN,
                used,
                consumed);
    }
}
