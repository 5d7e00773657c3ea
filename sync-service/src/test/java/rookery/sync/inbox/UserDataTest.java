// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.sync.inbox.UserData.Item;
import rookery.sync.unread.RulesText;

class UserDataTest {
    private static final UserId OWNER = new UserId("@ada:s");
    private static final long BYTES_MAX = 8 << 20;

    private final DataBudget budget = new DataBudget(BYTES_MAX);
    private final UserData data = of(1, OWNER);

    private UserData of(int tenant, UserId user) {
        return new UserData(new TenantUser(new TenantId(tenant), user), budget);
    }

    @Test
    void whatIsSetWhileTheSnapshotIsOnItsWayIsNotLostAndNotOverwritten() {
        data.gather();
        set("a", "1", 3);
        set("b", "2", 7);
        data.install(List.of(new Item(null, "a", "1", 3), new Item(null, "b", "0", 4)), 5);
        assertThat(data.changed(0, 100))
                .containsExactlyInAnyOrder(new Item(null, "a", "1", 3), new Item(null, "b", "2", 7));
    }

    @Test
    void onlyTheNewestOfATypeIsTold() {
        known();
        set("a", "1", 11);
        set("a", "2", 12);
        assertThat(data.changed(10, 12)).containsExactly(new Item(null, "a", "2", 12));
        assertThat(data.changed(10, 11)).isEmpty();
        assertThat(data.changed(12, 20)).isEmpty();
    }

    @Test
    void dataOfRoomsIsKeptApart() {
        known();
        var room = new RoomId("!r:s");
        data.apply(new AccountDataSet("m.tag", room, "{}"), 11);
        set("m.tag", "1", 12);
        assertThat(data.of(room)).containsExactly(new Item(room, "m.tag", "{}", 11));
        assertThat(data.changed(10, 20)).hasSize(2);
    }

    @Test
    void theIgnoreListIsUnderstood() {
        known();
        assertThat(data.settings().ignoreList()).isEqualTo("{\"ignored_users\":{}}");
        set("m.ignored_user_list", "{\"ignored_users\":{\"@bob:s\":{},\"nobody\":{}}}", 11);
        assertThat(data.settings().ignored()).containsExactly("@bob:s");
        set("m.ignored_user_list", "{}", 12);
        assertThat(data.settings().ignored()).isEmpty();
    }

    @Test
    void rulesThatWereSetWinOverThoseThatWereAsked() {
        known();
        assertThat(data.pushRules()).isNull();
        data.assumeRules(rules("assumed"));
        assertThat(data.pushRules()).isEqualTo(rules("assumed"));
        assertThat(data.hasRules()).isFalse();
        set("m.push_rules", "set", 11);
        data.installRules(rules("asked"));
        assertThat(data.pushRules()).isEqualTo(rules("set"));
    }

    @Test
    void whatWasForgottenIsNotReadAsNothing() {
        known();
        set("a", "1", 11);
        data.forget();
        assertThatThrownBy(() -> data.changed(10, 12)).isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> data.of(new RoomId("!r:s"))).isInstanceOf(ApiException.class);
        assertThatThrownBy(data::settings).isInstanceOf(ApiException.class);
    }

    private static RulesText rules(String json) {
        return new RulesText(OWNER, json);
    }

    /** Twenty items of 65,000 characters: 2.6 MB. */
    private static List<Item> much() {
        return IntStream.range(0, 20)
                .mapToObj(i -> new Item(null, "org.example." + i, "x".repeat(65_000), 3))
                .toList();
    }

    @Test
    void largeDataOfATenantHaveHalfOfTheMemoryAndLittleDataAlwaysFit() {
        var others = IntStream.range(0, 10)
                .mapToObj(i -> of(2, new UserId("@eve" + i + ":other")))
                .toList();
        int refused = 0;
        for (var other : others) {
            other.gather();
            try {
                other.install(much(), 5);
            } catch (ApiException e) {
                assertThat(e.getMessage()).contains("account data are too large");
                assertThat(other.isKnown()).isFalse();
                refused++;
            }
        }
        assertThat(refused).isEqualTo(9);
        assertThat(budget.used()).isBetween(2_600_000L, BYTES_MAX / 2);
        assertThat(budget.wasShort()).isTrue();
        assertThat(budget.wasShort()).isFalse();

        data.gather();
        data.install(much(), 5); // of another tenant
        var little = of(2, new UserId("@bob:other"));
        little.gather();
        little.install(List.of(new Item(null, "a", "{}", 3)), 5);

        others.getFirst().forget();
        others.getLast().gather();
        others.getLast().install(much(), 5);
        assertThat(others.getLast().isKnown()).isTrue();
    }

    @Test
    void dataThatGrowBeyondTheMemoryAreForgotten() {
        known();
        for (int i = 0; i < 100; i++) {
            set("org.example." + i, "x".repeat(65_000), 11 + i);
        }
        assertThat(data.isKnown()).isFalse();
        assertThat(budget.used()).isZero();
    }

    private void known() {
        data.gather();
        data.install(List.of(), 10);
    }

    private void set(String type, String content, long pos) {
        data.apply(new AccountDataSet(type, null, content), pos);
    }
}
