// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import rookery.bench.Members.Phase;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/overload}. */
public final class OverloadApplication {
    private static final Duration NORMAL = Duration.ofSeconds(5);
    private static final Duration RECOVERY = Duration.ofSeconds(2);
    private static final double WITHIN_MILLIS = 1_000;
    private static final double AT_ONCE_MILLIS = 100;

    private OverloadApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/bench/overload",
                OverloadOptions.HELP,
                new OverloadOptions(),
                arguments,
                OverloadApplication::measure);
    }

    private static boolean measure(OverloadOptions options) throws IOException {
        var site = TenantAddress.at(options.url, options.prefix);
        var results = new ArrayList<Map<String, Object>>();
        try (var http = Http.to(site);
                var members = Members.gather(site, options.rooms, options.members, new SecureRandom())) {
            var checker = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
            System.out.println("warming up for %d s with %.0f messages a second"
                    .formatted(options.warmUp.toSeconds(), options.peak / 2));
            members.send(options.peak / 2, options.warmUp);
            for (double factor : options.factors) {
                var before = members.send(options.rate, NORMAL);
                var costs = Costs.begin(options.data);
                Phase load;
                TokenChecks checks;
                try (var checking = new TokenChecks(checker)) {
                    load = members.offer(options.peak * factor, options.length);
                    checks = checking;
                }
                var used = costs.used();
                LockSupport.parkNanos(RECOVERY.toNanos());
                var after = members.send(options.rate, NORMAL);
                members.awaitEnd(load);
                var numbers = numbers(options, factor, load, checks, used);
                numbers.put("normal_delivered_ms_before", before.delivered.summary());
                numbers.put("normal_delivered_ms_after", after.delivered.summary());
                numbers.put("normal_failed_after", after.failed.get() + after.failedPolls.get());
                results.add(numbers);
                System.out.println("\n%.2f times the peak of %.0f/s".formatted(factor, options.peak));
                numbers.forEach((name, value) -> System.out.println("    %-36s %s".formatted(name, shown(value))));
            }
        }
        var json = options.json;
        if (json != null) {
            Files.writeString(json, JsonMapper.shared().writeValueAsString(results));
        }
        return true;
    }

    private static Map<String, Object> numbers(
            OverloadOptions options, double factor, Phase load, TokenChecks checks, Costs.ResourceUsage used) {
        double seconds = options.length.toMillis() / 1000.0;
        double ofPeak = 100 / (options.peak * seconds);
        int refused = load.refused.summary().count();
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("factor", factor);
        numbers.put("peak", options.peak);
        numbers.put("offered", load.dueNanos.size());
        numbers.put("answered", load.sent.get());
        numbers.put("answered_within_1s_percent_of_peak", load.acknowledged.within(WITHIN_MILLIS) * ofPeak);
        numbers.put(
                "delivered_within_1s_percent_of_peak", load.delivered.within(WITHIN_MILLIS) * ofPeak / options.members);
        numbers.put("refused", refused);
        numbers.put(
                "refused_within_100ms_percent",
                refused == 0 ? 100.0 : load.refused.within(AT_ONCE_MILLIS) * 100.0 / refused);
        numbers.put("failed_polls", load.failedPolls.get());
        numbers.put("token_checks", checks.count());
        numbers.put("failed_token_checks", checks.failed());
        numbers.put("paged_back", load.paged.get());
        numbers.put("lost", load.lost);
        numbers.put("doubled", load.doubled.get());
        numbers.put("answered_ms", load.acknowledged.summary());
        numbers.put("refused_ms", load.refused.summary());
        numbers.put("delivered_ms", load.delivered.summary());
        numbers.put("token_check_ms", checks.latencies());
        numbers.putAll(used.numbers(load.sent.get()));
        return numbers;
    }

    private static String shown(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.2f", number) : value.toString();
    }
}
