// SPDX-License-Identifier: Apache-2.0
package rookery.platform.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchLettersTest {
    @ParameterizedTest
    @CsvSource({
        "Straße,    strasse",
        "STRASSE,   strasse",
        "STRAẞE,    strasse",
        "İstanbul,  istanbul",
        "ISTANBUL,  istanbul",
        "ıstanbul,  istanbul",
        "İstanbul, istanbul",
        "ΣΟΦΟΣ,     σοφοσ",
        "σοφος,     σοφοσ",
        "été, été",
        "ﬁn,        fin",
        "ＡＢＣ,    abc",
        "山田太郎,  山田太郎",
    })
    void lettersAreComparedWithoutCaseAndVariants(String text, String folded) {
        assertThat(SearchLetters.folded(text)).isEqualTo(folded);
        assertThat(SearchLetters.folded(folded)).isEqualTo(folded);
        assertThat(SearchLetters.folded(text.toLowerCase(Locale.ROOT))).isEqualTo(folded);
    }

    @Test
    void wordsBeginAtAnyLetterOfScriptsWithoutSpaces() {
        assertThat("山ひカ한ไ".codePoints().allMatch(SearchLetters::isUnspaced)).isTrue();
        assertThat("aяע1".codePoints().noneMatch(SearchLetters::isUnspaced)).isTrue();
    }
}
