package rookery.model.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class TokenCodecTest {
    private static final TokenOwner ADA = new TokenOwner(new TenantId(1), new UserId("@ada:example.org"));
    private static final SyncToken TOKEN = new SyncToken(1, 2, 300, Positions.of(5, 1_000_000_007L, 0, 5));

    private final TokenCodec codec = codec("a key of at least thirty-two bytes!!");

    private static TokenCodec codec(String key) {
        return new TokenCodec(key.getBytes(StandardCharsets.UTF_8), new SplittableRandom(1));
    }

    @Test
    void tokensComeBackAsTheyWere() {
        assertThat(codec.readSync(codec.write(TOKEN, ADA), ADA)).isEqualTo(TOKEN);
        var marked = new SyncToken(1, 2, 300, TOKEN.rooms(), new TypingMark(-5_000_000_000L, 7));
        assertThat(codec.readSync(codec.write(marked, ADA), ADA)).isEqualTo(marked);
        for (var doubt : CountsDoubt.values()) {
            var counted = marked.with(new TypingMark(1, 2, 3, 4, doubt));
            assertThat(codec.readSync(codec.write(counted, ADA), ADA)).isEqualTo(counted);
        }
        var page = new PageToken(3, 7, Long.MAX_VALUE);
        assertThat(codec.readPage(codec.write(page, ADA), ADA, 7)).isEqualTo(page);
    }

    @Test
    void aSyncTokenIsAPlaceInEveryRoom() {
        assertThat(codec.readPage(codec.write(TOKEN, ADA), ADA, 1)).isEqualTo(new PageToken(1, 1, 1_000_000_007L));
        expectRefused(() -> codec.readPage(codec.write(TOKEN, ADA), ADA, 4));
    }

    @Test
    void tokensAreShortAndUrlSafeAndNeverTheSame() {
        long[] positions = new long[16];
        java.util.Arrays.fill(positions, 123_456_789_012L);
        String text = codec.write(
                new SyncToken(
                        1,
                        1,
                        99_999_999L,
                        Positions.of(positions),
                        new TypingMark(-1, 99_999_999L, 99_999_999L, Long.MAX_VALUE >> 20, CountsDoubt.ALL)),
                ADA);
        assertThat(text).matches("[0-9A-Za-z._~-]{1,255}");
        assertThat(codec.write(TOKEN, ADA)).isNotEqualTo(codec.write(TOKEN, ADA));
    }

    @Test
    void nobodyElseCanUseAToken() {
        String text = codec.write(TOKEN, ADA);
        expectRefused(() -> codec.readSync(text, new TokenOwner(new TenantId(2), ADA.user())));
        expectRefused(() -> codec.readSync(text, new TokenOwner(ADA.tenant(), new UserId("@bob:example.org"))));
        expectRefused(() -> codec("another key of at least thirty-two").readSync(text, ADA));
    }

    @Test
    void everyDamagedTokenIsRefused() {
        String text = codec.write(TOKEN, ADA);
        for (int i = 0; i < text.length(); i++) {
            String damaged = text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
            if (i < text.length() - 1) { // the last character may hold bits that mean nothing
                expectRefused(() -> codec.readSync(damaged, ADA));
            }
            String cut = text.substring(0, i);
            expectRefused(() -> codec.readSync(cut, ADA));
        }
        for (String nonsense : new String[] {"", "s", "t", "s!", "sAAAA", "x" + text, text + "A", "s\u0000", "12345"}) {
            expectRefused(() -> codec.readSync(nonsense, ADA));
            expectRefused(() -> codec.readPage(nonsense, ADA, 0));
        }
    }

    @Test
    void aPageTokenIsNoSyncTokenAndNoPlaceInAnotherShard() {
        String text = codec.write(new PageToken(1, 2, 3), ADA);
        expectRefused(() -> codec.readSync(text, ADA));
        expectRefused(() -> codec.readSync("s" + text.substring(1), ADA));
        expectRefused(() -> codec.readPage(text, ADA, 3));
    }

    private static void expectRefused(Runnable reading) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(reading::run)
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }
}
