// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** URLs of pages, as written by users and as fetched. */
class PageUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://a.example/b?c#d | https://a.example/b?c",
                "HTTP://A.Example | http://a.example/",
                "https://a.example?x=[1]|https://a.example/?x=%5B1%5D",
                "https://a.example:8443/ | https://a.example:8443/",
                "https://bücher.example/ä ö|https://xn--bcher-kva.example/%C3%A4%20%C3%B6",
                "https://a.example/100%/%7e|https://a.example/100%25/%7e",
                "https://a.example/x//y/../z|https://a.example/x//z",
                "https://a.example/../x/./y/..|https://a.example/x/",
                "https://[2606:4700::1]/ | https://[2606:4700::1]/",
                "http://１２７.0.0.1/ | http://127.0.0.1/",
            })
    void addressIsWrittenAsItIsAsked(String text, String url) {
        assertThat(PageUrl.of(text).uri()).hasToString(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example",
                "//a.example/",
                "ftp://a.example/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "https://",
                "https:///x",
                "https://user@a.example/",
                "https://user:password@a.example/",
                "https://a.example\\@b.example/",
                "https://a.example:0/",
                "https://a.example:65536/",
                "https://a.example:x/",
                "https://[::1/",
                "https://a b.example/",
                "https://a..example/",
                "https://a.example\u0000/",
            })
    void anythingElseIsRefused(String text) {
        assertThat(catchThrowableOfType(ApiException.class, () -> PageUrl.of(text)).code)
                .isEqualTo(ErrorCode.M_INVALID_PARAM);
    }

    @Test
    void longAddressIsRefused() {
        String longest = "https://a.example/" + "x".repeat(2_030);
        assertThat(PageUrl.of(longest).uri()).hasToString(longest);
        assertThat(catchThrowableOfType(ApiException.class, () -> PageUrl.of(longest + "x")).code)
                .isEqualTo(ErrorCode.M_INVALID_PARAM);
        assertThat(catchThrowableOfType(ApiException.class, () -> PageUrl.of("https://a.example/" + "ä".repeat(1_000)))
                        .code)
                .isEqualTo(ErrorCode.M_INVALID_PARAM);
    }

    @ParameterizedTest
    @CsvSource({
        "https://b.example/y, https://b.example/y",
        "//b.example/y,       https://b.example/y",
        "/y,                  https://a.example:444/y",
        "y,                   https://a.example:444/p/y",
        "../y,                https://a.example:444/y",
        "./y,                 https://a.example:444/p/y",
        "?y,                  https://a.example:444/p/q?y",
        "' y z ',             https://a.example:444/p/y%20z",
        "mailto:x@y.example,  ",
        "data:image/png,      ",
        "https://u@b.example, ",
    })
    void referenceIsResolved(String reference, String url) {
        var resolved = PageUrl.of("https://a.example:444/p/q?r").resolve(reference);
        assertThat(resolved == null ? null : resolved.uri().toString()).isEqualTo(url);
    }
}
