// SPDX-License-Identifier: Apache-2.0
package rookery.directory.person;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.directory.DirectoryDatabase;
import rookery.directory.person.UserDirectory.Change;
import rookery.directory.person.UserDirectory.UserResult;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.ProfileSet;

/** Searches of the user directory, and which users they return. */
class UserDirectoryIT {
    private static final TenantId ONE = new TenantId(1);
    private static final ServerName SERVER = new ServerName("one.example");

    private static final DatabaseClient DB = DirectoryDatabase.fresh();

    private final UserDirectory directory = new UserDirectory(DB);

    @BeforeEach
    void people() {
        directory.forgetAll().block();
        show("ada", "Ada Lovelace");
        show("adam", "Adam");
        show("grace", "Grace Ada Hopper");
        show("radar", null);
        show("zoe_100", "Zoë-Marie O'Neil");
        show("caller", "Ada Too");
        directory
                .take(List.of(
                        new Change(new TenantId(2), new UserId("@ada2:two.example"), new ProfileSet("Ada", null))))
                .block();
    }

    private static UserId user(String name) {
        return new UserId("@" + name + ":one.example");
    }

    private void show(String name, @Nullable String displayName) {
        directory
                .take(List.of(new Change(ONE, user(name), new ProfileSet(displayName, null))))
                .block();
    }

    private List<String> search(String term, boolean all, int limit) {
        return Objects.requireNonNull(directory
                        .search(ONE, SERVER, user("caller"), term, all, limit)
                        .block())
                .users()
                .stream()
                .map(UserResult::userId)
                .map(UserId::localpart)
                .toList();
    }

    @Test
    void resultsEndByBytesToo() {
        for (int i = 0; i < 40; i++) {
            var profile = new ProfileSet("Ada", "mxc://one.example/" + "a".repeat(60_000));
            directory.take(List.of(new Change(ONE, user("many" + i), profile))).block();
        }
        var result = Objects.requireNonNull(
                directory.search(ONE, SERVER, user("caller"), "many", true, 100).block());
        assertThat(result.users()).hasSizeBetween(10, 18);
        assertThat(result.limited()).isTrue();
        var whole = Objects.requireNonNull(directory
                .search(ONE, SERVER, user("caller"), "many3", true, 100)
                .block());
        assertThat(whole.users()).hasSize(11);
        assertThat(whole.limited()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ada | ada,adam,grace,radar",
                "ADA | ada,adam,grace,radar",
                "adam | adam",
                "@ada:one.example | ada",
                "@ada2:two.example | ''",
                "love | ada",
                "ovelace | ''",
                "ada hop | grace",
                "ada  hop | grace",
                "hopper ada | ''",
                "zoë | zoe_100",
                "mar | zoe_100",
                "neil | zoe_100",
                "_1 | zoe_100",
                "% | ''",
                "_x | ''",
                "caller | ''",
                "'' | ada,adam,grace,radar,zoe_100"
            })
    void beginningsOfWordsAndPartsOfUserNamesAreFound(String term, String expected) {
        assertThat(String.join(",", search(term, true, 10))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "太郎 | taro",
                "山田太郎 | taro",
                "田太 | taro",
                "太山 | ''",
                "철수 | kim",
                "ひろ | hiro",
                "istanbul | ist",
                "ISTANBUL STRASSE | ist",
                "İstanbul straße | ist",
                "🦆 | duck",
                "👋 | duck",
                "🇩🇪 | duck",
                "donald 🦆 | duck",
                "🐸 | ''",
                "@ad | ada,adam,grace",
                "@dam | ''",
                "@ADA | ada,adam,grace",
                "@ada:one.example | ada",
                "@ada:on | ada",
                "ada:one.example | ada",
                "ADA: | ada,adam,grace",
                "ad:one.example | ''",
                "ada:two.example | ''",
                "ada:one.example.org | ''",
                "@taro | taro",
                "taro:one.example | taro",
            })
    void namesAreFoundHoweverPeopleWriteThem(String term, String expected) {
        show("taro", "山田太郎");
        show("kim", "김철수");
        show("hiro", "まつもとひろし");
        show("ist", "İstanbul Straße");
        show("duck", "Donald 🦆👋🏽❤️🇩🇪");
        assertThat(String.join(",", search(term, true, 10))).isEqualTo(expected);
    }

    @Test
    void wordsOfAnEarlierVersionAreMadeAgain() {
        show("taro", "山田太郎");
        directory.take(List.of(new Change(ONE, user("grace"), null))).block();
        DB.sql("UPDATE directory.person SET words = ' old', words_form = 0")
                .then()
                .block();
        assertThat(search("太郎", true, 10)).isEmpty();

        assertThat(directory.renewWords().block()).isEqualTo(7);
        assertThat(directory.renewWords().block()).isZero();

        assertThat(search("太郎", true, 10)).containsExactly("taro");
        assertThat(search("old", true, 10)).isEmpty();
        assertThat(search("hopper", true, 10)).isEmpty();
    }

    @Test
    void bestOnesAreFirstAndNotMoreThanAsked() {
        assertThat(search("ada", true, 2)).containsExactly("ada", "adam");
        show("aaa", "Ada");
        assertThat(search("ada", true, 3)).containsExactly("ada", "adam", "aaa");
    }

    @Test
    void whoHasEndedIsGoneForGood() {
        directory.take(List.of(new Change(ONE, user("ada"), null))).block();
        assertThat(search("ada", true, 10)).containsExactly("adam", "grace", "radar");
        show("ada", "Ada is back");
        assertThat(search("ada", true, 10)).containsExactly("adam", "grace", "radar");
        // the whole life of an account in one batch of the log
        directory
                .take(List.of(
                        new Change(ONE, user("short"), new ProfileSet("Ada short", null)),
                        new Change(ONE, user("short"), null),
                        new Change(ONE, user("short"), new ProfileSet(null, null))))
                .block();
        assertThat(search("short", true, 10)).isEmpty();
    }

    @Test
    void narrowTenantShowsWhoSharesARoomOrIsInAnOpenOne() {
        room("!shared", false, "ada", "caller");
        room("!open", true, "grace");
        room("!closed", false, "adam", "radar");
        assertThat(search("ada", false, 10)).containsExactly("ada", "grace");
        assertThat(search("@adam:one.example", false, 10)).isEmpty();
    }

    private void room(String id, boolean open, String... members) {
        DB.sql("""
                        INSERT INTO directory.room (tenant, room_id, published, joined, open, facts, search)
                        VALUES (1, :room, false, 1, :open, '{}', '')
                        """).bind("room", id).bind("open", open).then().block();
        for (var member : members) {
            DB.sql("INSERT INTO directory.member (tenant, room_id, user_id) VALUES (1, :room, :user)")
                    .bind("room", id)
                    .bind("user", user(member).value())
                    .then()
                    .block();
        }
    }
}
