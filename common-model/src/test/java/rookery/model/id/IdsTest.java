// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** The grammars of contract.md 2.5. */
class IdsTest {
    @Test
    void idsThatFollowTheGrammarPass() {
        assertThat(new UserId("@a-z0.9_=/+:example.org:8448").localpart()).isEqualTo("a-z0.9_=/+");
        assertThat(new UserId("@ada:example.org").isOf(new ServerName("example.org")))
                .isTrue();
        assertThat(new UserId("@ada:example.org").isOf(new ServerName("example.or")))
                .isFalse();
        assertThat(new RoomAlias("#größe/любой %2F:example.org").isOf(new ServerName("example.org")))
                .isTrue();
        assertThat(RoomAlias.of("hall", new ServerName("[::1]:80")).value()).isEqualTo("#hall:[::1]:80");
        assertThat(new UserId("@" + "a".repeat(242) + ":example.org").value()).hasSize(255);
        assertThat(new RoomId("!r:example.org").isHash()).isFalse();
        assertThat(new RoomId("!" + "a".repeat(43) + ":example.org").isHash()).isFalse();
        assertThat(new RoomId("!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM").isHash())
                .isTrue();
    }

    @Test
    void idsThatDoNotAreInvalidParameters() {
        for (String id : new String[] {
            "",
            "@",
            "@:example.org",
            "@ada",
            "@ada:",
            "ada:example.org",
            "@Ada:example.org",
            "@äda:example.org",
            "@a b:example.org",
            "@" + "a".repeat(243) + ":example.org"
        }) {
            expectInvalid(() -> new UserId(id));
        }
        expectInvalid(() -> new RoomId("#r:example.org"));
        expectInvalid(() -> new RoomId("!r"));
        expectInvalid(() -> new RoomId("!" + "a".repeat(42)));
        expectInvalid(() -> new RoomId("!" + "a".repeat(44)));
        expectInvalid(() -> new RoomId("!" + "a".repeat(42) + "+"));
        expectInvalid(() -> new RoomId("!" + "a".repeat(43) + ":"));
        expectInvalid(() -> new RoomId("!" + "a".repeat(43) + "\n"));
        expectInvalid(() -> new RoomId("!\0:example.org"));
        expectInvalid(() -> new RoomId("!\ud800:example.org"));
        expectInvalid(() -> new EventId("e"));
        expectInvalid(() -> new RoomAlias("#:example.org"));
        expectInvalid(() -> RoomAlias.of("a:b", new ServerName("example.org")));
        expectInvalid(() -> new DeviceId(""));
        expectInvalid(() -> new DeviceId("a\nb"));
        expectInvalid(() -> new TransactionId(""));
        expectInvalid(() -> new TransactionId("x".repeat(256)));
        expectInvalid(() -> new ServerName("exa mple.org"));
        expectInvalid(() -> new ServerName("example.org:123456"));
    }

    private static void expectInvalid(Supplier<Object> making) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(making::get)
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }
}
