// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/** A Kubernetes object of the rendered chart. */
record Manifest(Map<String, Object> content) {
    private static final Gson PLAIN = new Gson();

    static {
        new JSON(); // initializes the Gson of the models
    }

    /** Parses all documents of a YAML text. */
    static List<Manifest> read(String yaml) {
        return StreamSupport.stream(new Yaml().loadAll(yaml).spliterator(), false)
                .filter(Objects::nonNull)
                .map(document -> new Manifest(cast(document)))
                .toList();
    }

    String kind() {
        return text(content, "kind");
    }

    String apiVersion() {
        return text(content, "apiVersion");
    }

    String name() {
        return text(map(content, "metadata"), "name");
    }

    Map<String, Object> spec() {
        return map(content, "spec");
    }

    /** The pod template of a Deployment, StatefulSet or Job; empty for other kinds. */
    Stream<Map<String, Object>> pods() {
        return Stream.of("Deployment", "StatefulSet", "Job").anyMatch(kind()::equals)
                ? Stream.of(map(map(spec(), "template"), "spec"))
                : Stream.empty();
    }

    /** Fails unless the newest Kubernetes API has the object, all of its fields, and their types. */
    void check() throws IOException {
        var json = PLAIN.toJsonTree(content);
        var problem = "%s %s: ".formatted(kind(), name());
        try {
            read(json);
        } catch (IllegalArgumentException | JsonParseException e) {
            throw new IllegalArgumentException(problem + e.getMessage(), e);
        }
    }

    private void read(JsonElement json) throws IOException {
        Class<?> model = switch (apiVersion() + "/" + kind()) {
            case "v1/ConfigMap" -> checked(json, V1ConfigMap::validateJsonElement, V1ConfigMap.class);
            case "v1/PersistentVolumeClaim" ->
                checked(json, V1PersistentVolumeClaim::validateJsonElement, V1PersistentVolumeClaim.class);
            case "v1/Secret" -> checked(json, V1Secret::validateJsonElement, V1Secret.class);
            case "v1/Service" -> checked(json, V1Service::validateJsonElement, V1Service.class);
            case "v1/ServiceAccount" -> checked(json, V1ServiceAccount::validateJsonElement, V1ServiceAccount.class);
            case "apps/v1/Deployment" -> checked(json, V1Deployment::validateJsonElement, V1Deployment.class);
            case "apps/v1/StatefulSet" -> checked(json, V1StatefulSet::validateJsonElement, V1StatefulSet.class);
            case "batch/v1/Job" -> checked(json, V1Job::validateJsonElement, V1Job.class);
            case "autoscaling/v2/HorizontalPodAutoscaler" ->
                checked(json, V2HorizontalPodAutoscaler::validateJsonElement, V2HorizontalPodAutoscaler.class);
            case "policy/v1/PodDisruptionBudget" ->
                checked(json, V1PodDisruptionBudget::validateJsonElement, V1PodDisruptionBudget.class);
            case "networking.k8s.io/v1/NetworkPolicy" ->
                checked(json, V1NetworkPolicy::validateJsonElement, V1NetworkPolicy.class);
            case "networking.k8s.io/v1/Ingress" -> checked(json, V1Ingress::validateJsonElement, V1Ingress.class);
            default -> throw new IllegalArgumentException(apiVersion() + " has no such kind");
        };
        var _ = JSON.getGson().fromJson(json, model); // checks quantities and numbers
    }

    private static Class<?> checked(JsonElement json, Check check, Class<?> model) throws IOException {
        check.accept(json);
        return model;
    }

    static Map<String, Object> map(Map<String, Object> from, String key) {
        return cast(Objects.requireNonNull(from.get(key), key));
    }

    static List<Map<String, Object>> maps(Map<String, Object> from, String key) {
        return cast(Objects.requireNonNull(from.get(key), key));
    }

    static String text(Map<String, Object> from, String key) {
        return Objects.requireNonNull(from.get(key), key).toString();
    }

    /** Parsed YAML has no static types. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T> T cast(Object read) {
        return (T) read;
    }

    /** The static validation method of a model. */
    private interface Check {
        void accept(JsonElement json) throws IOException;
    }
}
