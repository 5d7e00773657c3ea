// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.UserLogReader;
import rookery.auth.keys.Phone.SigningPair;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class CrossSigningIT {
    private static final String UPLOAD = "device_signing/upload";
    private static final String SIGN = "signatures/upload";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AuthServer server = AuthServer.shared();
    private final Phone ada = Phone.ofNewUser(server, ALPHA);
    private final Phone bob = Phone.ofNewUser(server, ALPHA);
    private final SigningPair master = SigningPair.make();
    private final SigningPair self = SigningPair.make();
    private final SigningPair users = SigningPair.make();

    @Test
    void firstKeysNeedNoPasswordAndAreShownToWhoMaySeeThem() {
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        assertThat(ada.post(UPLOAD, ada.crossSigning(master, self, users)).raw().body())
                .isEqualTo("{}");

        assertThat(log.after(head)).containsExactly(new DeviceKeysChanged(new UserId(ada.user())));
        var own = ada.query(ada.user()).json();
        var others = bob.query(ada.user()).json();
        assertThat(own.path("master_keys").path(ada.user())).isEqualTo(ada.crossSigningKey("master", master, null));
        assertThat(own.path("user_signing_keys").propertyNames()).containsExactly(ada.user());
        assertThat(others.path("master_keys").path(ada.user()))
                .isEqualTo(own.path("master_keys").path(ada.user()));
        assertThat(others.path("self_signing_keys").path(ada.user()))
                .isEqualTo(ada.crossSigningKey("self_signing", self, master));
        assertThat(others.path("user_signing_keys").isEmpty()).isTrue();
    }

    @Test
    void sameKeysNeedNoPasswordAndOthersDo() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();
        assertThat(ada.post(UPLOAD, ada.crossSigning(master, self, users)).status())
                .isEqualTo(200);
        assertThat(log.after(head)).isEmpty();
        var other = SigningPair.make();
        String others = ada.crossSigning(other, self, users);

        var challenge = ada.post(UPLOAD, others);

        assertThat(challenge.status()).isEqualTo(401);
        assertThat(challenge.json().path("flows").toString()).isEqualTo("[{\"stages\":[\"m.login.password\"]}]");
        assertThat(masterOf(ada)).isEqualTo(master.publicKey());
        String auth = AuthServer.authenticated("{}", ada.session(), "wrong horse", challenge.text("session"));
        assertThat(ada.post(UPLOAD, auth).refusal()).isEqualTo("401 M_FORBIDDEN");
        auth = AuthServer.authenticated("{}", ada.session(), "correct horse", challenge.text("session"));
        assertThat(ada.post(UPLOAD, auth).status())
                .as("fields of the first request need no repetition")
                .isEqualTo(200);
        assertThat(masterOf(ada)).isEqualTo(other.publicKey());
        assertThat(ada.post(UPLOAD, auth).raw().body())
                .as("the answer was lost, and the client repeats the request")
                .isEqualTo("{}");
        assertThat(masterOf(ada)).isEqualTo(other.publicKey());
    }

    @Test
    void repeatedUploadWithItsAuthenticationIsAnsweredAsBefore() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        String others = ada.crossSigning(SigningPair.make(), self, users);
        String id = ada.post(UPLOAD, others).text("session");
        String upload = AuthServer.authenticated(others, ada.session(), "correct horse", id);
        assertThat(ada.post(UPLOAD, upload).status()).isEqualTo(200);
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        assertThat(ada.post(UPLOAD, upload).raw().body()).isEqualTo("{}");

        server.database().execute("DELETE FROM auth.uia_session WHERE user_id = '" + ada.user() + "'");
        assertThat(ada.post(UPLOAD, upload).raw().body())
                .as("also when the session is forgotten: the keys are these")
                .isEqualTo("{}");
        assertThat(log.after(head)).isEmpty();
    }

    @Test
    void sessionOfAnUploadIsGoodForNoOtherKeys() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        String others = ada.crossSigning(SigningPair.make(), self, users);
        String id = ada.post(UPLOAD, others).text("session");
        ada.post(UPLOAD, AuthServer.authenticated(others, ada.session(), "correct horse", id));

        String third = ada.crossSigning(SigningPair.make(), self, users);

        assertThat(ada.post(UPLOAD, AuthServer.authenticated(third, ada.session(), "correct horse", id))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void keysThatWereSignedAnewAreTheSameKeys() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var device = SigningPair.make();
        var signedAnew =
                device.sign(ada.crossSigningKey("master", master, null), ada.user(), "ed25519:" + ada.device());

        assertThat(ada.post(UPLOAD, "{\"master_key\":%s}".formatted(signedAnew))
                        .raw()
                        .body())
                .isEqualTo("{}");
    }

    @Test
    void ofTwoWhoBringTheFirstKeysOneIsAskedForThePassword() throws Exception {
        var uploads = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 6; i++) {
            String body = ada.crossSigning(SigningPair.make(), self, users);
            uploads.add(() -> ada.post(UPLOAD, body));
        }
        try (var threads = Executors.newFixedThreadPool(6)) {
            var statuses = new ArrayList<Integer>();
            for (var answer : threads.invokeAll(uploads)) {
                statuses.add(answer.get().status());
            }
            assertThat(statuses).containsOnlyOnce(200).hasSize(6);
            assertThat(statuses.stream().filter(status -> status == 401)).hasSize(5);
        }
    }

    @Test
    void keysThatTheMasterKeyHasNotSignedAreRefused() {
        assertThat(ada.post(
                                UPLOAD,
                                "{\"self_signing_key\":%s}"
                                        .formatted(ada.crossSigningKey("self_signing", self, master)))
                        .refusal())
                .as("without a master key")
                .isEqualTo("400 M_MISSING_PARAM");
        var by = List.of(ada.crossSigningKey("self_signing", self, null), forged());
        for (var key : by) {
            var body = JSON.createObjectNode();
            body.set("master_key", ada.crossSigningKey("master", master, null));
            body.set("self_signing_key", key);
            assertThat(ada.post(UPLOAD, body.toString()).refusal()).isEqualTo("400 M_INVALID_SIGNATURE");
        }
        assertThat(ada.query(ada.user()).json().path("master_keys").isEmpty()).isTrue();
    }

    /** Signed by another key, in the name of the master key. */
    private ObjectNode forged() {
        return SigningPair.make().sign(ada.crossSigningKey("self_signing", self, null), ada.user(), master.id());
    }

    @Test
    void keyThatIsCalledLikeADeviceIsRefused() {
        server.call(
                ALPHA,
                "POST",
                "/_api/client/v3/login",
                "{\"type\":\"m.login.password\",\"user\":\"%s\",\"password\":\"correct horse\",\"device_id\":\"%s\"}"
                        .formatted(ada.user(), master.publicKey()));

        assertThat(ada.post(UPLOAD, ada.crossSigning(master, self, users)).refusal())
                .isEqualTo("403 M_FORBIDDEN");
    }

    @Test
    void ownDeviceIsSignedBySelfSigningKeyAndNothingElse() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var pair = SigningPair.make();
        ada.uploadDeviceKeys(pair);
        var log = UserLogReader.of(server, ada.user());
        long head = log.head();

        assertThat(sign(ada, ada.user(), ada.device(), users.sign(ada.deviceKeys(pair), ada.user(), users.id())))
                .isEqualTo("M_INVALID_SIGNATURE");
        assertThat(sign(ada, ada.user(), ada.device(), users.sign(ada.deviceKeys(pair), ada.user(), self.id())))
                .as("forged")
                .isEqualTo("M_INVALID_SIGNATURE");
        assertThat(sign(
                        ada,
                        ada.user(),
                        ada.device(),
                        self.sign(ada.deviceKeys(SigningPair.make()), ada.user(), self.id())))
                .as("other keys than those stored")
                .isEqualTo("M_INVALID_SIGNATURE");
        assertThat(sign(ada, ada.user(), "NONE", self.sign(ada.deviceKeys(pair), ada.user(), self.id())))
                .isEqualTo("M_NOT_FOUND");
        assertThat(log.after(head)).isEmpty();

        var signed = self.sign(ada.deviceKeys(pair), ada.user(), self.id());
        assertThat(sign(ada, ada.user(), ada.device(), signed)).isEmpty();

        assertThat(bob.query(ada.user())
                        .json()
                        .path("device_keys")
                        .path(ada.user())
                        .path(ada.device()))
                .isEqualTo(signed);
        assertThat(log.after(head)).containsExactly(new DeviceKeysChanged(new UserId(ada.user())));
        assertThat(sign(ada, ada.user(), ada.device(), signed)).isEmpty();
        assertThat(log.after(head)).as("the second time is no news").hasSize(1);
        ada.post("upload", "{\"device_keys\":%s}".formatted(ada.signedAnew(pair)));
        assertThat(bob.query(ada.user()).json().path("device_keys").toString())
                .as("what was signed is gone")
                .doesNotContain(self.id());
    }

    @Test
    void ownMasterKeyIsSignedByADevice() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var pair = SigningPair.make();
        ada.uploadDeviceKeys(pair);
        var key = ada.crossSigningKey("master", master, null);

        assertThat(sign(ada, ada.user(), master.publicKey(), self.sign(key, ada.user(), "ed25519:" + ada.device())))
                .isEqualTo("M_INVALID_SIGNATURE");
        var signed = pair.sign(key, ada.user(), "ed25519:" + ada.device());
        assertThat(sign(ada, ada.user(), master.publicKey(), signed)).isEmpty();

        assertThat(bob.query(ada.user()).json().path("master_keys").path(ada.user()))
                .isEqualTo(signed);
    }

    @Test
    void whatOneSignsOfOthersIsSeenByOneselfOnly() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var bobs = SigningPair.make();
        bob.post(UPLOAD, bob.crossSigning(bobs, SigningPair.make(), SigningPair.make()));
        var adas = UserLogReader.of(server, ada.user());
        var others = UserLogReader.of(server, bob.user());
        long head = adas.head();
        long bobsHead = others.head();
        var signed = users.sign(bob.crossSigningKey("master", bobs, null), ada.user(), users.id());

        assertThat(sign(ada, bob.user(), bobs.publicKey(), signed)).isEmpty();

        assertThat(ada.query(bob.user()).json().path("master_keys").path(bob.user()))
                .isEqualTo(signed);
        assertThat(bob.query(bob.user()).raw().body()).doesNotContain(ada.user());
        assertThat(adas.after(head)).containsExactly(new DeviceKeysChanged(new UserId(bob.user())));
        assertThat(others.after(bobsHead)).isEmpty();
        assertThat(sign(ada, bob.user(), bobs.publicKey(), self.sign(signed, ada.user(), users.id())))
                .isEqualTo("M_INVALID_SIGNATURE");
        assertThat(sign(ada, "@nobody:alpha.example", "x", signed)).isEqualTo("M_NOT_FOUND");
        assertThat(sign(ada, "nobody", "x", signed)).isEqualTo("M_NOT_FOUND");
    }

    @Test
    void newMasterKeyTakesAllWithItThatTheOldOneHasSigned() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        var pair = SigningPair.make();
        ada.uploadDeviceKeys(pair);
        sign(ada, ada.user(), ada.device(), self.sign(ada.deviceKeys(pair), ada.user(), self.id()));
        String alone = "{\"master_key\":%s}".formatted(ada.crossSigningKey("master", SigningPair.make(), null));

        assertThat(server.withPassword(ALPHA, ada.session(), "POST", Phone.KEYS + UPLOAD, alone)
                        .status())
                .isEqualTo(200);

        var shown = ada.query(ada.user());
        assertThat(shown.json().path("self_signing_keys").isEmpty()).isTrue();
        assertThat(shown.json().path("user_signing_keys").isEmpty()).isTrue();
        assertThat(shown.raw().body()).doesNotContain(self.id());
    }

    @Test
    void accountThatEndsHasNoKeys() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        ada.uploadDeviceKeys(SigningPair.make());

        assertThat(server.withPassword(ALPHA, ada.session(), "POST", "/_api/client/v3/account/deactivate", "{}")
                        .status())
                .isEqualTo(200);

        var shown = bob.query(ada.user()).json();
        assertThat(shown.path("device_keys").path(ada.user()).isEmpty()).isTrue();
        assertThat(shown.path("master_keys").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            device_signing/upload | {}                                                            | 400 M_MISSING_PARAM
            device_signing/upload | {"master_key":7}                                              | 400 M_BAD_JSON
            device_signing/upload | {"master_key":{}}                                             | 400 M_MISSING_PARAM
            device_signing/upload | {"master_key":{"user_id":"@x:alpha.example","usage":["master"],"keys":{}}} | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","keys":{}}}                   | 400 M_MISSING_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":"master","keys":{}}}  | 400 M_BAD_JSON
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["x"],"keys":{}}}     | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"]}}          | 400 M_MISSING_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"],"keys":{}}} | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"],"keys":{"ed25519:a":"a"}}} | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"],"keys":{"ed25519:a":7}}} | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"],"keys":{"ed25519:\\u0000":"\\u0000"}}} | 400 M_INVALID_PARAM
            device_signing/upload | {"master_key":{"user_id":"USER","usage":["master"],"keys":{},"signatures":{"a":"b"}}} | 400 M_BAD_JSON
            device_signing/upload | {"auth":7}                                                    | 400 M_BAD_JSON
            signatures/upload     | {"@x:alpha.example":7}                                        | 400 M_BAD_JSON
            signatures/upload     | {"@x:alpha.example":{"a":7}}                                  | 400 M_BAD_JSON
            """)
    void badRequestsAreRefused(String path, String body, String refusal) {
        assertThat(ada.post(path, body.replace("USER", ada.user())).refusal()).isEqualTo(refusal);
    }

    @Test
    void hostileSignaturesFailOneByOne() {
        ada.post(UPLOAD, ada.crossSigning(master, self, users));
        ada.uploadDeviceKeys(SigningPair.make());
        var strange = List.of(
                "{}",
                "{\"signatures\":7}",
                "{\"signatures\":{\"" + ada.user() + "\":{\"" + self.id() + "\":\"!\"}}}",
                "{\"signatures\":{\"" + ada.user() + "\":{\"" + self.id() + "\":\"\\u0000\"}},\"x\":1.5}");
        for (String object : strange) {
            assertThat(sign(ada, ada.user(), ada.device(), JSON.readTree(object)))
                    .isEqualTo("M_INVALID_SIGNATURE");
            assertThat(sign(ada, ada.user(), "\0", JSON.readTree(object))).isEqualTo("M_NOT_FOUND");
        }
        var many = JSON.createObjectNode();
        for (int i = 0; i < 10_000; i++) {
            many.withObjectProperty(ada.user()).putObject("D" + i);
        }
        assertThat(ada.post(SIGN, many.toString()).refusal()).isEqualTo("400 M_INVALID_PARAM");
    }

    private static String masterOf(Phone phone) {
        var key = phone.query(phone.user()).json().path("master_keys").path(phone.user());
        return key.path("keys")
                .valueStream()
                .findFirst()
                .map(JsonNode::stringValue)
                .orElse("");
    }

    /** The errcode of the failure, or empty. */
    private static String sign(Phone phone, String user, String key, JsonNode object) {
        var body = JSON.createObjectNode();
        body.putObject(user).set(key, object);
        var answer = phone.post(SIGN, body.toString());
        assertThat(answer.status()).isEqualTo(200);
        return answer.json()
                .path("failures")
                .path(user)
                .path(key)
                .path("errcode")
                .asString("");
    }
}
