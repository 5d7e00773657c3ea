// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

class TokenCodecTest {
    private static final TokenOwner ADA = new TokenOwner(new TenantId(1), new UserId("@ada:example.org"));
    private static final SyncToken TOKEN = new SyncToken(1, 2, 300, Positions.of(5, 1_000_000_007L, 0, 5));

    private static final String KEY = "a key of at least thirty-two bytes!!";

    private final TokenCodec codec = codec(KEY);

    private static TokenCodec codec(String key) {
        return new TokenCodec(key.getBytes(StandardCharsets.UTF_8), new SplittableRandom(1));
    }

    @Test
    void tokensComeBackAsTheyWere() {
        assertThat(codec.readSync(codec.write(TOKEN, ADA), ADA)).isEqualTo(TOKEN);
        var marked = TOKEN.with(Marks.of(-5_000_000_000L, 7));
        assertThat(codec.readSync(codec.write(marked, ADA), ADA)).isEqualTo(marked);
        for (var doubt : CountsDoubt.values()) {
            var counted = TOKEN.with(Marks.of(1, 2, 3, 4, doubt.code));
            assertThat(codec.readSync(codec.write(counted, ADA), ADA)).isEqualTo(counted);
        }
        var page = new PageToken(3, 7, Long.MAX_VALUE);
        assertThat(codec.readPage(codec.write(page, ADA), ADA, 7)).isEqualTo(page);
    }

    /** Written by the release whose marks were an unnamed record. */
    @Test
    void whatTheReleaseBeforeGaveOutIsRead() {
        assertThat(codec.readSync("swVwCiewtCpFn7I5lf4Oz4D0HGw0I55Lnb71XeX9f827VxyyzavfxXfmXF58XUg", ADA))
                .isEqualTo(TOKEN);
        assertThat(codec.readSync(
                        "sXlUy--6ik_gLyULuaKO9HCmNRRVpefwYU3oho2uqMsGSlWrhRYpV9jDcHBduJOCIlQkvSRblrFNNNM44", ADA))
                .isEqualTo(TOKEN.with(Marks.of(-5_000_000_000L, 7)));
        assertThat(codec.readSync("subUB0dhUu3GAAhWQpu2QkKF6uUuD-zAsP8btMplAXxuNLHpp802Nvk7Wgo-Pv9jXeAVk", ADA))
                .isEqualTo(TOKEN.with(Marks.of(1, 2, 3, 4, CountsDoubt.GUESSED.code)));
    }

    /**
     * During a rolling upgrade, nodes of that release read this release's tokens: a node, three numbers and a doubt, or nothing.
     */
    @Test
    void theReleaseBeforeReadsWhatThisOneGivesOut() {
        assertThat(asTheReleaseBeforeReads(TOKEN)).isEmpty();
        assertThat(asTheReleaseBeforeReads(TOKEN.with(Marks.of(-5_000_000_000L, 7))))
                .containsExactly(-5_000_000_000L, 7L, 0L, 0L, 0L);
        assertThat(asTheReleaseBeforeReads(TOKEN.with(Marks.of(1, 2, 3, 4, CountsDoubt.ALL.code))))
                .containsExactly(1L, 2L, 3L, 4L, 2L);
        assertThat(asTheReleaseBeforeReads(TOKEN.with(Marks.of(1, 2, 3, 4, 0, 99))))
                .containsExactly(1L, 2L, 3L, 4L, 0L);
    }

    @Test
    void marksThatANewerReleaseAddedComeBack() {
        var newer = TOKEN.with(Marks.of(1, 2, 3, 4, 0, 99, 0, 100));
        assertThat(codec.readSync(codec.write(newer, ADA), ADA)).isEqualTo(newer);
    }

    /** That release read five values after the positions, one by one, and ignored the rest. */
    private List<Long> asTheReleaseBeforeReads(SyncToken token) {
        var seal = new TokenSeal(KEY.getBytes(StandardCharsets.UTF_8), new SplittableRandom(2));
        var in = seal.open(codec.write(token, ADA), ADA);
        assertThat(in.get()).isEqualTo((byte) 1); // that release refused any other version
        for (int i = 0; i < 4 + token.rooms().shards(); i++) {
            varint(in);
        }
        if (!in.hasRemaining()) {
            return List.of();
        }
        return Stream.generate(() -> varint(in)).limit(5).toList();
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        int shift = 0;
        byte b;
        do {
            b = in.get();
            value |= (long) (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        return value;
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
                        Marks.of(-1, 99_999_999L, 99_999_999L, Long.MAX_VALUE >> 20, CountsDoubt.ALL.code)),
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
            if (i < text.length() - 1) { // some bits of the last character have no meaning
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
