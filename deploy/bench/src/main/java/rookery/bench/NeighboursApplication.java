// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import rookery.bench.Members.Phase;
import rookery.bench.Noise.Counts;
import rookery.bench.Noise.Kind;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.embedded.Folders;
import rookery.program.Complaint;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/neighbours}. */
public final class NeighboursApplication {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** Until the settings are in force, and between periods. */
    private static final Duration PAUSE = Duration.ofSeconds(3);

    private NeighboursApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/bench/neighbours",
                NeighboursOptions.HELP,
                new NeighboursOptions(),
                arguments,
                NeighboursApplication::measure);
    }

    private static boolean measure(NeighboursOptions options) throws IOException {
        if (options.pairs == 0) {
            throw Complaint.usage("--pairs needs at least 1");
        }
        var suffix = Long.toHexString(new SecureRandom().nextInt() & 0xffffffL);
        var quiet = made(options, "quiet-" + suffix + ".example");
        var noisyName = "noisy-" + suffix + ".example";
        var noisy = made(options, noisyName);
        pause();
        var results = new LinkedHashMap<String, Object>();
        try (var noise = new Noise(noisy);
                var members = Members.gather(quiet, options.rooms, options.members, new SecureRandom())) {
            operator(
                    options,
                    "PATCH",
                    "/tenants/" + noisyName + "/settings",
                    Map.of("max_requests_per_second", options.limit, "max_pushes_per_second", options.pushes));
            System.out.println("warming up for %d s".formatted(options.warmUp.toSeconds()));
            members.send(options.warmUpRate(), options.warmUp);
            for (var kind : options.kinds) {
                results.put(kind.name(), ofKind(options, kind, members, noise));
            }
        }
        var json = options.json;
        if (json != null) {
            Files.writeString(json, JSON.writeValueAsString(results));
        }
        return true;
    }

    private static Map<String, Object> ofKind(NeighboursOptions options, Kind kind, Members members, Noise noise)
            throws IOException {
        var alone = new ArrayList<Double>();
        var beside = new ArrayList<Double>();
        var ratios = new Ratios();
        var answers = new ArrayList<String>();
        if (!options.noiseWarmUp.isZero()) {
            besideNoise(options, kind, members, noise, options.noiseWarmUp);
            pause();
        }
        for (int i = 0; i < options.pairs; i++) {
            alone.add(members.send(options.rate, options.length)
                    .delivered
                    .summary()
                    .p99());
            pause();
            var noisy = besideNoise(options, kind, members, noise, options.length);
            beside.add(noisy.phase.delivered.summary().p99());
            double ratio = ratios.add(beside.getLast(), alone.getLast());
            answers.add(noisy.answers.toString());
            System.out.println("%-10s alone %s  beside %s  ratio %.2f; %d failed; answers to the noise %s, %d pushes"
                    .formatted(
                            kind,
                            millis(alone.getLast()),
                            millis(beside.getLast()),
                            ratio,
                            noisy.phase.failed.get() + noisy.phase.failedPolls.get(),
                            noisy.answers,
                            noisy.pushes));
            pause();
        }
        System.out.println("%-10s ratios: %s".formatted(kind, ratios));
        return Map.of(
                "alone_p99_ms",
                alone,
                "beside_p99_ms",
                beside,
                "ratios",
                ratios.values(),
                "median",
                ratios.median(),
                "answers",
                answers);
    }

    /** A period of the quiet tenant, with the answers to the noise beside it and the pushes that arrived. */
    private record NoisyPeriod(Phase phase, Counts answers, int pushes) {}

    private static NoisyPeriod besideNoise(
            NeighboursOptions options, Kind kind, Members members, Noise noise, Duration length) throws IOException {
        if (kind == Kind.PUSHES) {
            noise.setPushers();
        }
        int pushes = noise.pushes();
        var answers = CompletableFuture.supplyAsync(() -> noise.make(kind, options.offered, length));
        var phase = members.send(options.rate, length);
        var period = new NoisyPeriod(phase, answers.join(), noise.pushes() - pushes);
        if (kind == Kind.PUSHES) {
            noise.removePushers();
        }
        return period;
    }

    private static TenantAddress made(NeighboursOptions options, String name) throws IOException {
        operator(options, "POST", "/tenants", Map.of("server_name", name));
        return new TenantAddress(options.url, name + ":" + options.url.getPort(), options.prefix);
    }

    private static void operator(NeighboursOptions options, String method, String path, Map<String, ?> body)
            throws IOException {
        var settings = settings(options.data);
        var base = URI.create("http://127.0.0.1:" + settings.get("rookery.admin.operator.port"));
        try (var http = Http.to(TenantAddress.at(base, "/operator/v1"))) {
            http.call(method, path, Objects.toString(settings.get("rookery.admin.operator.token")), body)
                    .ok();
        }
    }

    private static Map<Object, Object> settings(Path data) {
        return Objects.requireNonNull(
                Folders.propertiesOf(data.resolve("config").resolve("admin-service-1.properties")),
                "nothing runs on the data folder: name another one with --data");
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%7.1f ms", value);
    }

    private static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
