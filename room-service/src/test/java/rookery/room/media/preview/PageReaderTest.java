// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.room.media.preview.PageReader.PageFacts;

/** Facts read from pages, hostile pages included. */
class PageReaderTest {
    private static final int PAGE_BYTES = 512 << 10;

    private static PageFacts read(String page) {
        return PageReader.read(page.getBytes(StandardCharsets.UTF_8), null);
    }

    @Test
    void openGraphIsReadAndPicturesApartFromIt() {
        var facts = read("""
                <!DOCTYPE html><html><head>
                <title>The title of the browser</title>
                <meta property="og:title" content=" A &amp; B\u0000&#0;
                   C "><meta property="og:title" content="second">
                <META NAME="og:type" CONTENT="article">
                <meta property="og:image" content="/a.png">
                <meta property="og:image:secure_url" content="https://b.example/b.png">
                <meta property="og:image:width" content="7"><meta property="og:image:alt" content="a house">
                <meta property="og:empty" content=" "><meta property="fb:app_id" content="1">
                <meta name="description" content="described">
                </head><body><svg><title>of a drawing</title></svg></body></html>
                """);
        assertThat(facts.properties())
                .isEqualTo(Map.of(
                        "og:title", "A & B\uFFFD\uFFFD C",
                        "og:type", "article",
                        "og:image:alt", "a house",
                        "og:description", "described"));
        assertThat(facts.pictures()).containsExactly("/a.png", "https://b.example/b.png");
    }

    @Test
    void titleOfThePageStandsInForOneOfOpenGraph() {
        assertThat(read("<svg><title>of a drawing</title></svg><title>of the page</title>")
                        .properties())
                .isEqualTo(Map.of("og:title", "of the page"));
        assertThat(read("<p>nothing").properties()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ISO-8859-1,   ISO-8859-1, ''",
        "windows-1251, ,           <meta charset=windows-1251>",
        "Shift_JIS,    ,           '<meta http-equiv=Content-Type content=\"text/html; charset=Shift_JIS\">'",
        "UTF-16,       ,           ''",
        "UTF-8,        unheard-of, <meta charset=unheard-of>",
        "UTF-8,        '!',        <meta charset=!>",
        "UTF-8,        ,           ''",
    })
    void charsetIsThatOfTheHeaderOrOfThePage(String charset, String header, String meta) {
        String title = switch (charset) {
            case "windows-1251" -> "\u0416";
            case "Shift_JIS" -> "\u65E5";
            default -> "\u00E9";
        };
        byte[] page = (meta + "<title>" + title + "</title>").getBytes(Charset.forName(charset));
        assertThat(PageReader.read(page, header).properties()).isEqualTo(Map.of("og:title", title));
    }

    @Test
    void whatIsNoTextInACharsetIsReplaced() {
        byte[] page = "<title>a\u00FF\u00FEb".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(PageReader.read(page, "utf-8").properties()).isEqualTo(Map.of("og:title", "a\uFFFD\uFFFDb"));
    }

    @Test
    void numbersAndLengthsAreBounded() {
        var page = new StringBuilder("<title>" + "\uD83D\uDE00".repeat(5_000) + "</title>");
        for (int i = 0; i < 1_000; i++) {
            page.append("<meta property='og:p")
                    .append(i)
                    .append("' content='")
                    .append(i)
                    .append("'>");
            page.append("<meta property='og:image' content='").append(i).append("'>");
        }
        var facts = read(page.toString());
        assertThat(facts.properties()).hasSize(50);
        assertThat(facts.pictures()).hasSize(3);

        String title =
                read("<title>x" + "\uD83D\uDE00".repeat(5_000)).properties().get("og:title");
        assertThat(title).hasSize(999).doesNotContain("\uFFFD");
        var property = "<meta property='og:long%d' content='" + "y".repeat(2_000) + "'>";
        var many = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            many.append(property.formatted(i));
        }
        assertThat(read(many.toString()).toString()).hasSizeLessThan(9_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<b>",
                "<div>",
                "<p>",
                "<a><table>",
                "<table><tr><td>",
                "<font a=1><i b>",
                "<template>",
                "<svg><g>",
                "<meta>",
                "<title>",
                "</x>",
                "<",
                "&amp",
                "<!--",
                "<a ",
                "\u0000",
            })
    void pageThatMeansHarmIsReadToItsBound(String part) {
        String page = "<title>t</title>" + part.repeat(PAGE_BYTES / part.length());
        assertThat(read(page).properties()).isEqualTo(Map.of("og:title", "t"));
    }
}
