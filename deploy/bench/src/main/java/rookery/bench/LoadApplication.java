// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;
import rookery.bench.Members.Phase;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/run}. */
public final class LoadApplication {

    private static final String HELP = """
            deploy/bench/run measures a Rookery that runs: messages at a steady rate to members in long polls.

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000
              --prefix PATH        of every request (/_api/client)
              --rooms N            in which messages are sent in turns (1)
              --members N          of each room, each in a long poll (10)
              --rate N             messages a second (20)
              --rates LIST         instead: rates with commas, measured one after the other
              --sliding            the members wait in sliding sync
              --seconds N          how long (60)
              --warm-up N          seconds before that, at a higher rate (60)
              --warm-up-rate N     requests a second in them, sends and polls together (330)
              --data DIR           its data folder, to tell the CPU of each of its processes (data/ in the project)
              --json FILE          writes the numbers there, too
            """;

    private static final class RatesOptions extends LoadOptions {
        @Option(names = "--rates", split = Program.COMMA)
        List<Double> rates = List.of();

        @Option(names = "--sliding")
        boolean isSliding;

        List<Double> all() {
            return rates.isEmpty() ? List.of(rate) : rates;
        }
    }

    private LoadApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/run", HELP, new RatesOptions(), arguments, LoadApplication::measure);
    }

    private static boolean measure(RatesOptions options) throws IOException {
        var site = TenantAddress.at(options.url, options.prefix);
        var results = new ArrayList<Map<String, Object>>();
        boolean complete = true;
        try (var members =
                Members.gather(site, options.rooms, options.members, new SecureRandom(), options.isSliding)) {
            say("%d members of %d rooms wait in long polls at %s%s"
                    .formatted(options.members * options.rooms, options.rooms, options.url, options.prefix));
            if (!options.warmUp.isZero()) {
                say("warming up for %d s with %.0f messages a second"
                        .formatted(options.warmUp.toSeconds(), options.warmUpRate()));
                var warming = members.send(options.warmUpRate(), options.warmUp);
                say("  %d sent, %d failed; delivery %s"
                        .formatted(warming.sent.get(), warming.failed.get(), warming.delivered.summary()));
            }
            for (double rate : options.all()) {
                say("measuring for %d s with %.0f messages a second".formatted(options.length.toSeconds(), rate));
                var costs = Costs.begin(options.data);
                var phase = members.send(rate, options.length);
                var used = costs.used();
                report(phase, used);
                results.add(numbers(options, rate, phase, used));
                complete &= phase.failed.get() == 0 && phase.sent.get() > 0;
            }
        }
        var json = options.json;
        if (json != null) {
            Files.writeString(
                    json, JsonMapper.shared().writeValueAsString(results.size() == 1 ? results.getFirst() : results));
        }
        return complete;
    }

    private static void report(Phase phase, Costs.ResourceUsage used) {
        int sent = Math.max(1, phase.sent.get());
        say("");
        say("sent       %d, failed %d; deliveries %d, and %d by paging back; lost %d, doubled %d"
                .formatted(
                        phase.sent.get(),
                        phase.failed.get(),
                        phase.delivered.summary().count(),
                        phase.paged.get(),
                        phase.lost,
                        phase.doubled.get()));
        say("refused    %s".formatted(phase.refused.summary()));
        say("polls      %d failed".formatted(phase.failedPolls.get()));
        say("answered   %s".formatted(phase.acknowledged.summary()));
        say("delivered  %s".formatted(phase.delivered.summary()));
        say("(from the moment at which a message was due, whether or not it could be sent then)");
        say("");
        used.printMessages(sent);
    }

    private static Map<String, Object> numbers(
            RatesOptions options, double rate, Phase phase, Costs.ResourceUsage used) {
        var numbers = new LinkedHashMap<String, Object>();
        numbers.put("url", options.url.toString());
        numbers.put("rooms", options.rooms);
        numbers.put("members", options.members);
        numbers.put("rate", rate);
        numbers.put("sent", phase.sent.get());
        numbers.put("failed", phase.failed.get());
        numbers.put("failed_polls", phase.failedPolls.get());
        numbers.put("paged_back", phase.paged.get());
        numbers.put("lost", phase.lost);
        numbers.put("doubled", phase.doubled.get());
        numbers.put("refused_ms", phase.refused.summary());
        numbers.put("answered_ms", phase.acknowledged.summary());
        numbers.put("delivered_ms", phase.delivered.summary());
        numbers.putAll(used.numbers(phase.sent.get()));
        return numbers;
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
