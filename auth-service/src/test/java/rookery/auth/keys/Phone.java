// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;
import rookery.platform.json.CanonicalJson;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A client with real keys. */
record Phone(AuthServer server, Tenant tenant, Answer session) {
    static final String KEYS = "/_api/client/v3/keys/";
    private static final JsonMapper JSON = JsonMapper.shared();

    static Phone ofNewUser(AuthServer server, Tenant tenant) {
        return new Phone(server, tenant, server.register(tenant, AuthServer.name(), "correct horse"));
    }

    /** Another device of the same user. */
    Phone another() {
        return new Phone(server, tenant, server.login(tenant, user().substring(1, user().indexOf(':'))));
    }

    /** The same device, by another login. */
    Phone loggedInAgain() {
        String login = """
                {"type":"m.login.password","user":"%s","password":"correct horse","device_id":"%s"}
                """.formatted(user(), device());
        return new Phone(server, tenant, server.call(tenant, "POST", "/_api/client/v3/login", login));
    }

    /** The same device, at another instance. */
    Phone at(AuthServer other) {
        return new Phone(other, tenant, session);
    }

    String user() {
        return session.text("user_id");
    }

    String device() {
        return session.text("device_id");
    }

    Answer post(String path, String body) {
        return call("POST", KEYS + path, body);
    }

    Answer call(String method, String path, @Nullable String body) {
        return server.call(tenant, session.text("access_token"), method, path, body);
    }

    /** The device's identity keys, signed by the device. */
    ObjectNode deviceKeys(SigningPair pair) {
        var keys = JSON.createObjectNode().put("user_id", user()).put("device_id", device());
        keys.putArray("algorithms").add("m.olm.v1.curve25519-aes-sha2");
        keys.putObject("keys")
                .put("ed25519:" + device(), pair.publicKey())
                .put("curve25519:" + device(), pair.publicKey());
        return pair.sign(keys, user(), "ed25519:" + device());
    }

    /** The keys with one more signature. */
    ObjectNode signedAnew(SigningPair pair) {
        var other = SigningPair.make();
        return other.sign(deviceKeys(pair), user(), other.id());
    }

    Answer uploadDeviceKeys(SigningPair pair) {
        return post("upload", "{\"device_keys\":%s}".formatted(deviceKeys(pair)));
    }

    /** One-time keys with these names, in this order. */
    static String oneTimeKeys(List<String> ids) {
        var keys = JSON.createObjectNode();
        ids.forEach(id -> keys.putObject("signed_curve25519:" + id).put("key", "key of " + id));
        return "{\"one_time_keys\":%s}".formatted(keys);
    }

    Answer query(String... users) {
        var query = JSON.createObjectNode();
        Arrays.stream(users).forEach(query::putArray);
        return post("query", "{\"device_keys\":%s}".formatted(query));
    }

    /** The ID of the claimed key of the other device, or empty. */
    String claim(Phone other) {
        var answer = post(
                "claim",
                "{\"one_time_keys\":{\"%s\":{\"%s\":\"signed_curve25519\"}}}".formatted(other.user(), other.device()));
        if (answer.status() != 200) {
            throw new IllegalStateException(answer.raw().body());
        }
        var given = answer.json().path("one_time_keys").path(other.user()).path(other.device());
        return given.isMissingNode()
                ? ""
                : given.propertyNames().iterator().next().substring("signed_curve25519:".length());
    }

    /** A cross-signing key of the user, signed by another key or unsigned. */
    ObjectNode crossSigningKey(String usage, SigningPair pair, @Nullable SigningPair signer) {
        var key = JSON.createObjectNode().put("user_id", user());
        key.putArray("usage").add(usage);
        key.putObject("keys").put(pair.id(), pair.publicKey());
        return signer == null ? key : signer.sign(key, user(), signer.id());
    }

    /** All three cross-signing keys. */
    String crossSigning(SigningPair master, SigningPair self, SigningPair users) {
        var keys = JSON.createObjectNode();
        keys.set("master_key", crossSigningKey("master", master, null));
        keys.set("self_signing_key", crossSigningKey("self_signing", self, master));
        keys.set("user_signing_key", crossSigningKey("user_signing", users, master));
        return keys.toString();
    }

    /** An Ed25519 key. */
    record SigningPair(KeyPair pair) {
        private static final int KEY_BYTES = 32;

        static SigningPair make() {
            try {
                return new SigningPair(KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        String publicKey() {
            byte[] encoded = pair.getPublic().getEncoded();
            return base64(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
        }

        String id() {
            return "ed25519:" + publicKey();
        }

        /** The object with one more signature. */
        ObjectNode sign(ObjectNode object, String signer, String id) {
            try {
                var signature = Signature.getInstance("Ed25519");
                signature.initSign(pair.getPrivate());
                signature.update(
                        CanonicalJson.write(SignedObject.signedPart(object)).getBytes(StandardCharsets.UTF_8));
                var signed = object.deepCopy();
                signed.withObjectProperty("signatures")
                        .withObjectProperty(signer)
                        .put(id, base64(signature.sign()));
                return signed;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private static String base64(byte[] bytes) {
            return Base64.getEncoder().withoutPadding().encodeToString(bytes);
        }
    }
}
