// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.UserLogReader;
import rookery.auth.keys.Phone.SigningPair;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import tools.jackson.databind.json.JsonMapper;

class KeysIT {
    private final AuthServer server = AuthServer.shared();
    private final Phone ada = Phone.ofNewUser(server, ALPHA);
    private final Phone bob = Phone.ofNewUser(server, ALPHA);

    @Test
    void uploadedKeysAreShownToOthersAsTheyWereSigned() {
        var pair = SigningPair.make();

        assertThat(ada.uploadDeviceKeys(pair).raw().body())
                .isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":0}}");

        var shown = bob.query(ada.user()).json();
        assertThat(shown.path("device_keys").path(ada.user()).path(ada.device()))
                .isEqualTo(ada.deviceKeys(pair));
        assertThat(shown.path("failures").isEmpty()).isTrue();
        assertThat(shown.propertyNames())
                .contains("device_keys", "failures", "master_keys", "self_signing_keys", "user_signing_keys");
    }

    @Test
    void onlyTheOwnerIsShownWhatADeviceIsCalled() {
        ada.uploadDeviceKeys(SigningPair.make());
        ada.call("PUT", "/_api/client/v3/devices/" + ada.device(), "{\"display_name\":\"My \\u0000 phone\"}");

        assertThat(ada.query(ada.user())
                        .json()
                        .path("device_keys")
                        .path(ada.user())
                        .path(ada.device())
                        .path("unsigned")
                        .path("device_display_name")
                        .stringValue())
                .isEqualTo("My \0 phone");
        assertThat(bob.query(ada.user()).raw().body()).doesNotContain("phone");
    }

    @Test
    void unknownUsersAndThoseOfOtherTenantsAreLeftOut() {
        var stranger = Phone.ofNewUser(server, BETA);
        stranger.uploadDeviceKeys(SigningPair.make());
        stranger.post("upload", Phone.oneTimeKeys(List.of("A")));
        bob.uploadDeviceKeys(SigningPair.make());

        var answer = ada.query(stranger.user(), "@nobody:alpha.example", "no user", bob.user(), ada.user());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("device_keys").propertyNames())
                .as("who has no keys is shown with none, so that clients forget devices")
                .containsExactlyInAnyOrder(bob.user(), ada.user());
        assertThat(answer.json().path("device_keys").path(ada.user()).isEmpty()).isTrue();
        assertThat(ada.claim(stranger)).isEmpty();
    }

    @Test
    void onlyTheDevicesAskedForAreShown() {
        var second = ada.another();
        ada.uploadDeviceKeys(SigningPair.make());
        second.uploadDeviceKeys(SigningPair.make());

        var one = bob.post(
                "query", "{\"device_keys\":{\"%s\":[\"%s\",\"NONE\"]}}".formatted(ada.user(), second.device()));

        assertThat(one.json().path("device_keys").path(ada.user()).propertyNames())
                .containsExactly(second.device());
        assertThat(bob.query(ada.user())
                        .json()
                        .path("device_keys")
                        .path(ada.user())
                        .propertyNames())
                .containsExactlyInAnyOrder(ada.device(), second.device());
    }

    @Test
    void anotherKeyUnderTheSameNameIsRefusedAndTheSameOneIsNoNews() {
        var log = UserLogReader.of(server, ada.user());
        ada.post("upload", Phone.oneTimeKeys(List.of("A", "B")));
        long head = log.head();

        assertThat(ada.post("upload", Phone.oneTimeKeys(List.of("A", "B")))
                        .raw()
                        .body())
                .isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":2}}");
        assertThat(log.after(head)).isEmpty();
        assertThat(ada.post(
                                "upload",
                                "{\"one_time_keys\":{\"signed_curve25519:C\":\"c\",\"signed_curve25519:A\":{\"key\":\"other\"}}}")
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(ada.post("upload", "{}").raw().body())
                .as("all or none")
                .isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":2}}");
    }

    @Test
    void keysThatWereSignedAnewAreTheSameKeys() {
        var pair = SigningPair.make();
        var other = SigningPair.make();
        String oneTime = "{\"one_time_keys\":{\"signed_curve25519:A\":%s}}";
        String fallback = "{\"fallback_keys\":{\"signed_curve25519:F\":%s}}";
        var key = JsonMapper.shared().createObjectNode().put("key", "k");
        ada.post("upload", oneTime.formatted(pair.sign(key, ada.user(), pair.id())));
        ada.post("upload", fallback.formatted(pair.sign(key, ada.user(), pair.id())));
        assertThat(List.of(bob.claim(ada), bob.claim(ada))).containsExactly("A", "F");

        var again = ada.post("upload", oneTime.formatted(other.sign(key, ada.user(), other.id())));
        var fallbackAgain = ada.post("upload", fallback.formatted(other.sign(key, ada.user(), other.id())));

        assertThat(again.raw().body()).isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":0}}");
        assertThat(fallbackAgain.status()).isEqualTo(200);
        assertThat(unused()).as("it stays used").isEqualTo("[]");
        assertThat(ada.post("upload", oneTime.formatted("{\"key\":\"other\"}")).refusal())
                .isEqualTo("400 M_INVALID_PARAM");
    }

    @Test
    void keyThatWasGivenOutIsNotOfferedAgainByARepeatedUpload() {
        String upload = Phone.oneTimeKeys(List.of("A", "B"));
        ada.post("upload", upload);
        assertThat(bob.claim(ada)).isEqualTo("A");

        assertThat(ada.post("upload", upload).raw().body())
                .isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":1}}");
        assertThat(bob.claim(ada)).isEqualTo("B");
        assertThat(bob.claim(ada)).isEmpty();
    }

    @Test
    void keysAreGivenOutInTheOrderOfTheirUpload() {
        ada.post("upload", Phone.oneTimeKeys(List.of("Z", "A")));
        ada.post("upload", Phone.oneTimeKeys(List.of("M", "B")));

        assertThat(IntStream.range(0, 4).mapToObj(_ -> bob.claim(ada)).toList()).containsExactly("Z", "A", "M", "B");
    }

    @Test
    void fallbackKeyIsGivenOutWhenNoOtherIsLeftAndIsUsedThen() {
        String fallback = "{\"fallback_keys\":{\"signed_curve25519:F\":{\"key\":\"f\",\"fallback\":true}}}";
        ada.post("upload", Phone.oneTimeKeys(List.of("A")));
        ada.post("upload", fallback);
        assertThat(unused()).isEqualTo("[\"signed_curve25519\"]");

        assertThat(List.of(bob.claim(ada), bob.claim(ada), bob.claim(ada))).containsExactly("A", "F", "F");
        assertThat(unused()).isEqualTo("[]");

        ada.post("upload", fallback);
        assertThat(unused()).as("the same one stays used").isEqualTo("[]");
        ada.post("upload", fallback.replace(":F", ":G"));
        assertThat(unused()).isEqualTo("[\"signed_curve25519\"]");
        assertThat(bob.claim(ada)).isEqualTo("G");
    }

    @Test
    void userLogTellsWhatChanged() {
        var log = UserLogReader.of(server, ada.user());
        var own = new DeviceKeysChanged(new UserId(ada.user()));
        var device = new DeviceId(ada.device());
        var pair = SigningPair.make();
        long start = log.head();

        ada.uploadDeviceKeys(pair);
        ada.uploadDeviceKeys(pair);
        ada.post("upload", Phone.oneTimeKeys(List.of("A", "B")));
        ada.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");
        ada.post("upload", "{\"device_keys\":%s}".formatted(ada.signedAnew(pair)));

        assertThat(log.after(start))
                .containsExactly(
                        own,
                        new KeyCountsSet(device, Map.of("signed_curve25519", 2L), List.of()),
                        new KeyCountsSet(device, Map.of("signed_curve25519", 2L), List.of("signed_curve25519")),
                        own);
    }

    @Test
    void identityKeysOfADeviceNeverChange() {
        var pair = SigningPair.make();
        ada.uploadDeviceKeys(pair);
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        var others = ada.deviceKeys(SigningPair.make());
        String withKey = "{\"device_keys\":%s,\"one_time_keys\":{\"signed_curve25519:A\":\"a\"}}".formatted(others);
        assertThat(ada.post("upload", withKey).refusal()).isEqualTo("400 M_INVALID_PARAM");

        assertThat(log.after(head)).as("all or none").isEmpty();
        assertThat(bob.query(ada.user())
                        .json()
                        .path("device_keys")
                        .path(ada.user())
                        .path(ada.device()))
                .isEqualTo(ada.deviceKeys(pair));
        assertThat(ada.post("upload", "{\"device_keys\":%s}".formatted(ada.signedAnew(pair)))
                        .status())
                .isEqualTo(200);

        var again = ada.loggedInAgain();
        assertThat(again.uploadDeviceKeys(SigningPair.make()).refusal())
                .as("a login does not make it another device")
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(again.uploadDeviceKeys(pair).status()).isEqualTo(200);
    }

    @Test
    void deviceTakesItsKeysWithIt() {
        var second = ada.another();
        second.uploadDeviceKeys(SigningPair.make());
        second.post("upload", Phone.oneTimeKeys(List.of("A")));
        second.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        assertThat(second.call("POST", "/_api/client/v3/logout", "{}").status()).isEqualTo(200);

        assertThat(bob.claim(second)).isEmpty();
        assertThat(bob.query(ada.user())
                        .json()
                        .path("device_keys")
                        .path(ada.user())
                        .isEmpty())
                .isTrue();
        assertThat(log.after(head)).contains(new DeviceKeysChanged(new UserId(ada.user())));
        for (String table : List.of("device_key", "one_time_key", "fallback_key", "key_count_due")) {
            assertThat(server.count("SELECT count(*) FROM auth.%s WHERE user_id = '%s'".formatted(table, ada.user())))
                    .as(table)
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            upload | {"one_time_keys":{"A":"x"}}                                     | 400 M_INVALID_PARAM
            upload | {"one_time_keys":{"a:":"x"}}                                    | 400 M_INVALID_PARAM
            upload | {"one_time_keys":{"a:\\u0000":"x"}}                             | 400 M_INVALID_PARAM
            upload | {"one_time_keys":{"a:\\ud800":"x"}}                             | 400 M_BAD_JSON
            upload | {"one_time_keys":{"a:b":7}}                                     | 400 M_BAD_JSON
            upload | {"one_time_keys":{"a:b":null}}                                  | 400 M_BAD_JSON
            upload | {"one_time_keys":{"a:b":{"x":1.5}}}                             | 400 M_BAD_JSON
            upload | {"one_time_keys":[]}                                            | 400 M_BAD_JSON
            upload | {"fallback_keys":{"a:b":"x","a:c":"y"}}                         | 400 M_INVALID_PARAM
            upload | {"fallback_keys":{"a:b":"x","b:b":"x","c:b":"x","d:b":"x","e:b":"x"}} | 400 M_INVALID_PARAM
            upload | {"device_keys":7}                                               | 400 M_BAD_JSON
            upload | {"device_keys":{}}                                              | 400 M_MISSING_PARAM
            upload | {"device_keys":{"user_id":"@x:alpha.example","device_id":"D"}}  | 400 M_INVALID_PARAM
            upload | {"device_keys":{"user_id":"USER","device_id":"D"}}              | 400 M_INVALID_PARAM
            upload | {"device_keys":{"user_id":"USER","device_id":"DEVICE"}}         | 400 M_MISSING_PARAM
            upload | {"device_keys":{"user_id":"USER","device_id":"DEVICE","algorithms":["a"],"keys":{"x":1},"signatures":{}}} | 400 M_BAD_JSON
            upload | {"device_keys":{"user_id":"USER","device_id":"DEVICE","algorithms":"a","keys":{},"signatures":{}}} | 400 M_BAD_JSON
            upload | {"device_keys":{"user_id":"USER","device_id":"DEVICE","algorithms":[],"keys":{},"signatures":{"a":"b"}}} | 400 M_BAD_JSON
            upload | {                                                               | 400 M_NOT_JSON
            query  | {}                                                              | 400 M_MISSING_PARAM
            query  | {"device_keys":[]}                                              | 400 M_BAD_JSON
            query  | {"device_keys":{"@x:alpha.example":"D"}}                        | 400 M_BAD_JSON
            query  | {"device_keys":{"@x:alpha.example":[7]}}                        | 400 M_BAD_JSON
            query  | {"device_keys":{},"timeout":"long"}                             | 400 M_BAD_JSON
            claim  | {}                                                              | 400 M_MISSING_PARAM
            claim  | {"one_time_keys":{"@x:alpha.example":[]}}                       | 400 M_BAD_JSON
            claim  | {"one_time_keys":{"@x:alpha.example":{"D":7}}}                  | 400 M_BAD_JSON
            """)
    void badRequestsAreRefused(String path, String body, String refusal) {
        assertThat(ada.post(path, body.replace("USER", ada.user()).replace("DEVICE", ada.device()))
                        .refusal())
                .isEqualTo(refusal);
    }

    @Test
    void whatNobodyCanBeCalledIsPassedByAndNotAFailure() {
        String strange =
                "{\"@x:alpha.example\":{\"\\u0000\":\"a\"},\"\\u0000\":{\"D\":\"a\"},\"@y:alpha.example\":{\"D\":\"\\u0000\"}}";

        assertThat(ada.post("claim", "{\"one_time_keys\":" + strange + "}")
                        .raw()
                        .body())
                .isEqualTo("{\"one_time_keys\":{},\"failures\":{}}");
        assertThat(ada.post("query", "{\"device_keys\":{\"\\u0000\":[\"\\u0000\"],\"@y:alpha.example\":{}}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void tooMuchIsRefused() {
        var thousand = IntStream.range(0, 1000).mapToObj(i -> "K" + i).toList();
        var more = IntStream.range(1000, 11_000).mapToObj(i -> "K" + i).toList();
        assertThat(ada.post("upload", Phone.oneTimeKeys(more)).refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(ada.post("upload", Phone.oneTimeKeys(thousand)).raw().body())
                .isEqualTo("{\"one_time_key_counts\":{\"signed_curve25519\":1000}}");
        assertThat(ada.post("upload", Phone.oneTimeKeys(List.of("K1000"))).refusal())
                .isEqualTo("400 M_INVALID_PARAM");

        assertThat(ada.post("upload", "{\"one_time_keys\":{\"a:b\":\"%s\"}}".formatted("x".repeat(5000)))
                        .refusal())
                .isEqualTo("413 M_TOO_LARGE");
        assertThat(ada.post("upload", "{\"one_time_keys\":{\"a:%s\":\"\"}}".formatted("x".repeat(300)))
                        .refusal())
                .isEqualTo("400 M_INVALID_PARAM");
        assertThat(ada.post("upload", "{\"one_time_keys\":" + "[".repeat(101) + "]".repeat(101) + "}")
                        .refusal())
                .isEqualTo("400 M_BAD_JSON");
        var users = IntStream.range(0, 10_000)
                .mapToObj(i -> "@u" + i + ":alpha.example")
                .toArray(String[]::new);
        assertThat(ada.query(users).refusal()).isEqualTo("400 M_INVALID_PARAM");
        assertThat(ada.post("upload", "{\"x\":\"%s\"}".formatted("x".repeat(5 << 20)))
                        .refusal())
                .isEqualTo("413 M_TOO_LARGE");
    }

    @Test
    void withoutATokenNothingIsShown() {
        for (String path : List.of("upload", "query", "claim", "device_signing/upload", "signatures/upload")) {
            assertThat(server.call(ALPHA, "POST", Phone.KEYS + path, "{}").refusal())
                    .isEqualTo("401 M_MISSING_TOKEN");
        }
    }

    private String unused() {
        return server.internal(
                        "GET",
                        "/internal/users/%s/devices/%s/key-counts?tenant=1".formatted(ada.user(), ada.device()),
                        null)
                .json()
                .path("unused_fallback")
                .toString();
    }
}
