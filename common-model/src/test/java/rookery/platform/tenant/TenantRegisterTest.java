// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

class TenantRegisterTest {
    private static final TenantRegister REGISTER =
            TenantRegister.of(Map.of(1, "localhost", 2, "a.test", 3, "b.test:8448", 5, TenantRegister.NOBODY));

    private static Tenant tenant(int number, String name) {
        return new Tenant(new TenantId(number), new ServerName(name));
    }

    private static List<Tenant> missing(Tenant... configured) {
        return REGISTER.missing(List.of(configured), "room-service");
    }

    private static void assertRefused(String sentence, Tenant... configured) {
        assertThatThrownBy(() -> missing(configured))
                .isInstanceOf(TenantsRefusedException.class)
                .hasMessage("rookery.tenants: " + sentence);
    }

    @Test
    void whatIsAsItWasIsGoodInAnyOrderAndNumber() {
        assertThat(missing(tenant(3, "b.test:8448"), tenant(1, "localhost"))).isEmpty();
        assertThat(missing()).isEmpty();
    }

    @Test
    void aNewNameUnderANewNumberIsAdded() {
        assertThat(missing(tenant(1, "localhost"), tenant(7, "c.test"))).containsExactly(tenant(7, "c.test"));
        assertThat(REGISTER.next()).isEqualTo(6);
        assertThat(TenantRegister.of(Map.of()).next()).isEqualTo(1);
    }

    @Test
    void aKnownNameUnderAnotherNumberIsSentToItsOwn() {
        assertRefused(
                "b.test:8448 has the number 3 in the data of room-service, and not 2: set its id to 3",
                tenant(2, "b.test:8448"));
        assertRefused(
                "a.test has the number 2 in the data of room-service, and not 9: set its id to 2", tenant(9, "a.test"));
    }

    @Test
    void aKnownNumberIsGivenToNoNewName() {
        assertRefused(
                "the number 2 is that of a.test in the data of room-service: set the id of c.test, which is new there, to 8",
                tenant(2, "c.test"),
                tenant(7, "d.test"));
        assertRefused(
                "the number 5 is that of nobody in the data of room-service: set the id of c.test, which is new there, to 6",
                tenant(5, "c.test"));
    }

    @Test
    void whoIsNotConfiguredIsServedToNobody() {
        assertThat(REGISTER.unserved(List.of(tenant(2, "a.test"), tenant(8, "c.test"))))
                .containsExactly("localhost (1)", "b.test:8448 (3)");
    }
}
