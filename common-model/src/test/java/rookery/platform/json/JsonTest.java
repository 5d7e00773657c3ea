// SPDX-License-Identifier: Apache-2.0
package rookery.platform.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.databind.json.JsonMapper;

/** contract.md 2.1: valid JSON, canonical JSON and the errcodes of other text. */
class JsonTest {
    private static String canonical(String json) {
        return CanonicalJson.write(StrictJson.object(json));
    }

    @Test
    void keysStandInTheOrderOfTheirCodePoints() {
        assertThat(canonical("{\"b\":1, \"a\":{\"z\":null,\"y\":[true,\"x\"]}}"))
                .isEqualTo("{\"a\":{\"y\":[true,\"x\"],\"z\":null},\"b\":1}");
        // U+FB01 sorts before U+1F600 by code point, and after it by UTF-16
        assertThat(canonical("{\"\ud83d\ude00\":1,\"\ufb01\":2}")).isEqualTo("{\"\ufb01\":2,\"\ud83d\ude00\":1}");
    }

    @Test
    void theLastOfTwoEqualKeysWins() {
        assertThat(canonical("{\"a\":1,\"a\":2}")).isEqualTo("{\"a\":2}");
    }

    @Test
    void nulSurvives() {
        assertThat(canonical("{\"a\":\"\\u0000\"}")).isEqualTo("{\"a\":\"\\u0000\"}");
    }

    @Test
    void numbersAreIntegersThatEveryLanguageCanHold() {
        assertThat(canonical("{\"a\":9007199254740991,\"b\":-9007199254740991}"))
                .isEqualTo("{\"a\":9007199254740991,\"b\":-9007199254740991}");
        for (String number :
                new String[] {"9007199254740992", "-9007199254740992", "1.5", "1.0", "1e3", "1e400", "9".repeat(900)}) {
            expect(ErrorCode.M_BAD_JSON, () -> canonical("{\"a\":" + number + "}"));
        }
        assertThat(CanonicalJson.writeWithFloats(StrictJson.object("{\"order\":0.5}")))
                .isEqualTo("{\"order\":0.5}");
        for (String number : new String[] {"1e400", "9".repeat(400)}) {
            var json = StrictJson.object("{\"order\":" + number + "}");
            expect(ErrorCode.M_BAD_JSON, () -> CanonicalJson.writeWithFloats(json));
        }
    }

    @Test
    void whatIsNoJsonSaysSo() {
        for (String text :
                new String[] {"{", "{}{}", "{} x", "nonsense", "{'a':1}", "{\"a\":NaN}", "{\"a\":01}", "{\"a\":\"\\x\"}"
                }) {
            expect(ErrorCode.M_NOT_JSON, () -> StrictJson.object(text));
        }
        expect(
                ErrorCode.M_NOT_JSON,
                () -> StrictJson.object(new byte[] {'{', '"', (byte) 0xC0, (byte) 0x80, '"', ':', '1', '}'}));
        expect(ErrorCode.M_NOT_JSON, () -> StrictJson.object("{\"a\":\"\u0001\"}"));
    }

    @Test
    void whatIsNoObjectOrTooDeepIsBad() {
        for (String text : new String[] {"[]", "1", "\"x\"", "null", "[".repeat(200) + "]".repeat(200)}) {
            expect(ErrorCode.M_BAD_JSON, () -> StrictJson.object(text));
        }
        expect(ErrorCode.M_BAD_JSON, () -> StrictJson.object("{\"a\":".repeat(150) + "1" + "}".repeat(150)));
    }

    @Test
    void halfASurrogatePairIsBadAndAWholeOneIsText() {
        for (String text : new String[] {
            "{\"a\":\"\\ud800\"}",
            "{\"\\uDC00\":1}",
            "{\"a\":[{\"b\":[\"\\udc00\\ud83d\"]}]}",
            "{\"a\":{\"\\ud83d\":1}}"
        }) {
            expect(ErrorCode.M_BAD_JSON, () -> StrictJson.object(text));
        }
        assertThat(canonical("{\"a\":\"\\ud83d\\ude00 \\\\ud800\"}")).isEqualTo("{\"a\":\"\ud83d\ude00 \\\\ud800\"}");
    }

    @Test
    void anEmptyBodyIsAnEmptyObject() {
        assertThat(StrictJson.object(new byte[0]).isEmpty()).isTrue();
        assertThat(StrictJson.object(" \r\n\t".getBytes(UTF_8)).isEmpty()).isTrue();
    }

    private record TextAnswer(JsonText content, int number) {}

    @Test
    void finishedJsonIsReadAsWritten() {
        for (var content : new String[] {"{\"a\":[0.5,1.0E10,\"\\u0000\\\"\",null,{}],\"b\":9007199254740991}", "{}"}) {
            var text = "{\"content\":" + content + ",\"number\":7}";
            var read = JsonMapper.shared().readValue(text, TextAnswer.class);
            assertThat(read).isEqualTo(new TextAnswer(new JsonText(content), 7));
            assertThat(JsonMapper.shared().writeValueAsString(read)).isEqualTo(text);
        }
    }

    private static void expect(ErrorCode code, Runnable reading) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(reading::run)
                .satisfies(refusal -> assertThat(refusal.code).isEqualTo(code));
    }
}
