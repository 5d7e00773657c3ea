// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

class AddressesTest {
    @ParameterizedTest
    @CsvSource({
        "bob@example.org, bob@example.org",
        "'  Bob@Example.ORG\t', bob@example.org",
        "BOB+tag@sub.example.org, bob+tag@sub.example.org",
        "stra\u00dfe@example.org, strasse@example.org",
        "STRASSE@example.org, strasse@example.org",
        "\u1e9e@example.org, ss@example.org",
        "\u03a3\u03c3\u03c2@example.org, \u03c3\u03c3\u03c3@example.org",
        "\u0130@example.org, i\u0307@example.org",
        "\u0131@example.org, \u0131@example.org",
        "\u00c4@\u00c4xample.org, \u00e4@\u00e4xample.org",
        "o'neil@example.org, o'neil@example.org"
    })
    void emailsAreFolded(String text, String canonical) {
        assertThat(Addresses.email(text)).isEqualTo(new Threepid(Medium.EMAIL, canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bob",
                "@example.org",
                "bob@",
                "bob@example",
                "bob@@example.org",
                "bob@example..org",
                "bob@.example.org",
                "bob@example.org.",
                "bob@-example.org",
                "bob@example-.org",
                ".bob@example.org",
                "bob.@example.org",
                "b ob@example.org",
                "\"bob\"@example.org",
                "Bob <bob@example.org>",
                "bob@example.org,eve@example.org",
                "bob@[127.0.0.1]",
                "bob@example.org\r\nBcc: eve@example.org",
                "bob\u0000@example.org",
                "bob\ud800@example.org",
                "bob(eve)@example.org"
            })
    void otherTextsAreNoEmails(String text) {
        assertRefused(() -> Addresses.email(text));
    }

    @Test
    void longEmailsAreRefused() {
        assertRefused(() -> Addresses.email("a".repeat(65) + "@example.org"));
        assertRefused(() -> Addresses.email("a@" + "b.".repeat(200) + "org"));
        assertRefused(() -> Addresses.email("a".repeat(100_000)));
    }

    @ParameterizedTest
    @CsvSource({
        "GB, 07700 900123, 447700900123",
        "GB, +44 7700 900123, 447700900123",
        "DE, +44 7700 900123, 447700900123",
        "US, (212) 555-0123, 12125550123",
        "DE, 0151/23456789, 4915123456789"
    })
    void phonesAreE164(String country, String number, String digits) {
        assertThat(Addresses.phone(country, number)).isEqualTo(new Threepid(Medium.MSISDN, digits));
    }

    @ParameterizedTest
    @CsvSource({
        "GB, 12",
        "GB, nobody",
        "GB, ''",
        "gb, 07700900123",
        "GBR, 07700900123",
        "'', +447700900123",
        "XX, +447700900123"
    })
    void otherTextsAreNoPhones(String country, String number) {
        assertRefused(() -> Addresses.phone(country, number));
    }

    @ParameterizedTest
    @CsvSource({
        "msisdn, 447700900123, 447700900123",
        "msisdn, +447700900123, 447700900123",
        "email, A@B.example, a@b.example"
    })
    void addressesOfAccountsAreFound(String medium, String address, String canonical) {
        assertThat(Addresses.find(medium, address))
                .isNotNull()
                .extracting(Threepid::address)
                .isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"msisdn, 07700900123", "msisdn, 44 7700", "email, nobody", "pigeon, a@b.example", "Email, a@b.example"})
    void whatNoAccountCanHaveIsNotFound(String medium, String address) {
        assertThat(Addresses.find(medium, address)).isNull();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ApiException.class, refusal -> assertThat(refusal.code).isEqualTo(ErrorCode.M_INVALID_PARAM));
    }
}
