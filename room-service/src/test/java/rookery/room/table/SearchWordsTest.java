// SPDX-License-Identifier: Apache-2.0
package rookery.room.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;

class SearchWordsTest {
    private static final TenantRoom ROOM =
            new TenantRoom(new TenantId(7), new RoomId("!abcdefghijklmnopqr:example.org"));

    @Test
    void wordsAreLettersAndDigitsInLowerCase() {
        assertThat(SearchWords.highlights("Hello, WORLD! It's v2.0"))
                .containsExactly("hello", "world", "it", "s", "v2", "0");
        assertThat(SearchWords.highlights("ÄPFEL Ёлка ΣΊΣΥΦΟΣ")).containsExactly("äpfel", "ёлка", "σίσυφος", "σίσυφοσ");
        assertThat(SearchWords.highlights("e\u0301t\u00e9")).containsExactly("\u00e9t\u00e9");
    }

    @Test
    void whatHasNoWordsAsksForNothing() {
        for (String term : new String[] {"", "   ", "!?;-'\"\\&|()<>:*", "\u0000", "\ud800", "🦆"}) {
            assertThat(SearchWords.query(term)).isEmpty();
            assertThat(SearchWords.vector(ROOM, term)).isEmpty();
        }
    }

    @Test
    void nothingOfATermIsSyntax() {
        assertThat(SearchWords.query("a' | 'b\\' & !c:*\u0000d")).isEqualTo("'a' & 'b' & 'c' & 'd'");
    }

    @Test
    void aVectorKnowsWhereItsWordsAreAndWhoseItIs() {
        assertThat(SearchWords.vector(ROOM, "to be or not to be"))
                .isEqualTo("'to':1,5 'be':2,6 'or':3 'not':4 '@7' '!abcdefgh'");
    }

    @Test
    void scriptsWithoutSpacesAreFoundByTheirLettersAndPairs() {
        assertThat(SearchWords.vector(ROOM, "黒い猫")).startsWith("'黒い':1 'い猫':1 '黒':1 'い':1 '猫':1 ");
        assertThat(SearchWords.query("猫")).isEqualTo("'猫'");
        assertThat(SearchWords.query("黒い猫")).isEqualTo("'黒い' & 'い猫'");
        assertThat(SearchWords.query("abc猫")).isEqualTo("'abc' & '猫'");
    }

    @Test
    void koreanIsFoundWithItsParticles() {
        assertThat(SearchWords.vector(ROOM, "서울에서")).startsWith("'서울':1 '울에':1 '에서':1 '서':1 '울':1 '에':1 ");
        assertThat(SearchWords.query("서울")).isEqualTo("'서울'");
        assertThat(SearchWords.query("서울 시장")).isEqualTo("'서울' & '시장'");
        assertThat(SearchWords.query("kbs뉴스")).isEqualTo("'kbs' & '뉴스'");
        assertThat(SearchWords.highlights("서울에서")).containsExactly("서울에서");
    }

    @Test
    void wordsAreFolded() {
        for (String word : new String[] {"Straße", "STRASSE", "strasse"}) {
            assertThat(SearchWords.query(word)).isEqualTo("'strasse'");
            assertThat(SearchWords.vector(ROOM, word)).startsWith("'strasse':1 ");
        }
        assertThat(SearchWords.query("İstanbul")).isEqualTo(SearchWords.query("ISTANBUL"));
        assertThat(SearchWords.highlights("Straße")).containsExactly("straße", "strasse");
    }

    @Test
    void noPairOfALongSentenceWithoutSpacesIsLost() {
        var sentence = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            sentence.appendCodePoint('\u4E00' + i);
        }
        String vector = SearchWords.vector(ROOM, sentence.toString());
        for (int i = 0; i + 1 < 1_000; i++) {
            assertThat(vector).contains("'" + sentence.substring(i, i + 2) + "':");
        }
        assertThat(SearchWords.highlights("猫".repeat(64))).containsExactly("猫".repeat(64));
    }

    @Test
    void hugeTextsAreBounded() {
        assertThat(SearchWords.query("word1 ".repeat(100_000) + "x")).isEqualTo("'word1'");
        var many = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            many.append('w').append(i).append(' ');
        }
        assertThat(SearchWords.query(many.toString()).split(" & ", -1)).hasSize(SearchWords.TERM_WORDS_MAX);
        assertThat(SearchWords.vector(ROOM, many.toString()).length()).isLessThan(70_000);
        assertThat(SearchWords.vector(ROOM, "x".repeat(60_000)).length()).isLessThan(120);
        assertThat(SearchWords.vector(ROOM, "again ".repeat(10_000)).length()).isLessThan(700);
    }
}
