// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryNamesTest {
    @Test
    void noNameLeavesItsFolder() {
        for (var name :
                new String[] {"../../etc/passwd", "..\\..\\x", "/root", "C:\\x", "a/../b", "..", ".", "\u2024/\u2024"
                }) {
            assertThat(EntryNames.numbered(1, name))
                    .as(name)
                    .startsWith("00001")
                    .doesNotContain("/", "\\", ":", "..")
                    .doesNotMatch("00001 \\..*");
        }
    }

    @Test
    void charactersThatDeceiveAreDropped() {
        assertThat(EntryNames.safe("photo\u202Egpj.exe")).isEqualTo("photogpj.exe");
        assertThat(EntryNames.safe("a\u0000b\nc\u200Bd\u2066e\uFEFF")).isEqualTo("abcde");
        assertThat(EntryNames.safe("\uD800x")).isEqualTo("x");
        assertThat(EntryNames.safe("<b>\"tea\"|?*</b>")).isEqualTo("_b__tea______b_");
    }

    @Test
    void namesInOtherScriptsStay() {
        assertThat(EntryNames.safe("שלום чай 茶 🫖")).isEqualTo("שלום чай 茶 🫖");
    }

    @Test
    void longNamesKeepTheirExtension() {
        var name = EntryNames.safe("🫖".repeat(200) + ".jpeg");

        assertThat(name).endsWith(".jpeg");
        assertThat(name.codePointCount(0, name.length())).isEqualTo(60);
    }

    @Test
    void aNumberMakesEqualNamesDifferent() {
        assertThat(EntryNames.numbered(7, "Tea")).isEqualTo("00007 Tea");
        assertThat(EntryNames.numbered(8, " .. ")).isEqualTo("00008");
    }
}
