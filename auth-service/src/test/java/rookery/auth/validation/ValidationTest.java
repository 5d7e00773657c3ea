// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.ThreepidProperties;
import rookery.auth.threepid.ThreepidProperties.Policy;

class ValidationTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final ThreepidProperties PROPERTIES = new ThreepidProperties(
            Duration.ofHours(24),
            Duration.ofMinutes(10),
            5,
            5,
            Duration.ofHours(1),
            1000,
            200,
            new Policy(true, false, List.of(), null, null, null, null));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # medium | sent as   | tries | token's age | age   | validated | verdict
            EMAIL    | newest    | 0     | PT1H        | PT23H | false     | Right[nextLink=null]
            EMAIL    | earlier   | 0     | PT1H        | PT23H | false     | Right[nextLink=null]
            EMAIL    | never     | 0     | PT1H        | PT23H | false     | Wrong[counts=false]
            EMAIL    | newest    | 0     | PT1H        | PT25H | false     | Expired[]
            EMAIL    | newest    | 0     | PT1H        | PT25H | true      | Expired[]
            EMAIL    | newest    | 9     | PT1H        | PT23H | true      | Right[nextLink=null]
            MSISDN   | newest    | 4     | PT10M       | PT1H  | false     | Right[nextLink=null]
            MSISDN   | newest    | 5     | PT1M        | PT1H  | false     | Expired[]
            MSISDN   | newest    | 0     | PT10M1S     | PT1H  | false     | Expired[]
            MSISDN   | earlier   | 0     | PT1M        | PT1H  | false     | Wrong[counts=true]
            MSISDN   | never     | 0     | PT1M        | PT1H  | false     | Wrong[counts=true]
            MSISDN   | never     | 5     | PT1M        | PT1H  | false     | Expired[]
            MSISDN   | newest    | 5     | PT1H        | PT2H  | true      | Right[nextLink=null]
            MSISDN   | never     | 0     | PT1M        | PT1H  | true      | Wrong[counts=false]
            MSISDN   | newest    | 0     | PT1M        | PT25H | false     | Expired[]
            """)
    void tokensAreJudged(
            Medium medium, String sent, int tries, Duration tokenAge, Duration age, boolean validated, String verdict) {
        var validation = new Validation(
                "sid",
                Purpose.REGISTER,
                new Threepid(medium, "address"),
                !sent.equals("never"),
                sent.equals("newest"),
                tries,
                NOW.minus(tokenAge),
                null,
                NOW.minus(age),
                validated ? NOW.minus(tokenAge) : null,
                null);

        assertThat(validation.verdict(NOW, PROPERTIES)).hasToString(verdict);
    }
}
