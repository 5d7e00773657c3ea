// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/life}. */
public final class LifeApplication {
    private LifeApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/life", LifeOptions.HELP, new LifeOptions(), arguments, LifeApplication::measure);
    }

    private static boolean measure(LifeOptions options) throws IOException {
        say("making %d accounts and their rooms".formatted(options.members));
        try (var life = Life.begin(options)) {
            say("%d users are connected; warming up for %d s, then measuring for %d s, with %.0f messages a second"
                    .formatted(
                            options.connected, options.warmUp.toSeconds(), options.length.toSeconds(), options.rate));
            var warming = life.send(options.rate, options.warmUp);
            var costs = Costs.begin(options.data);
            var phase = life.send(options.rate, options.length);
            var used = costs.used();
            int answers = phase.answers.get();
            life.drain(phase, (int) (options.rate * options.length.toMillis() / 1000));
            report(options, warming, phase, answers, used);
            return phase.sent() > 0
                    && phase.failed() + warming.failed() == 0
                    && phase.lost() + warming.lost() == 0
                    && phase.doubled.get() + warming.doubled.get() == 0;
        }
    }

    private static void report(
            LifeOptions options, LifePhase warming, LifePhase phase, int answers, Costs.ResourceUsage used)
            throws IOException {
        int sent = Math.max(1, phase.sent());
        say("");
        say("sent       %d, failed %d; for connected members: %d due, %d lost, %d doubled"
                .formatted(phase.sent(), phase.failed(), phase.due(), phase.lost(), phase.doubled.get()));
        say("warm-up    %d, failed %d; %d lost, %d doubled"
                .formatted(warming.sent(), warming.failed(), warming.lost(), warming.doubled.get()));
        say("syncs      %d answers, %.1f a message; %d polls failed; %d reconnects, initial syncs %s"
                .formatted(
                        answers,
                        answers / (double) sent,
                        phase.failedPolls.get(),
                        phase.reconnects.get(),
                        phase.initialSyncs.summary()));
        say("beside     %d receipts and %d typing notifications, %d of both failed"
                .formatted(phase.receipts.get(), phase.typings.get(), phase.failedNotices.get()));
        phase.failures.forEach(failure -> say("           " + failure));
        say("refused    %s".formatted(phase.refused.summary()));
        say("answered   %s".formatted(phase.acknowledged.summary()));
        say("delivered  %s".formatted(phase.delivered.summary()));
        say("(from the moment at which a message was due, whether or not it could be sent then)");
        say("");
        used.printMessages(sent);
        var json = options.json;
        if (json != null) {
            var numbers = new LinkedHashMap<String, Object>();
            numbers.put("workload", "life");
            numbers.put("url", options.url.toString());
            numbers.put("accounts", options.members);
            numbers.put("connected", options.connected);
            numbers.put("rate", options.rate);
            numbers.putAll(phase.numbers());
            numbers.put("sync_answers", answers);
            numbers.put("warm_up_lost", warming.lost());
            numbers.put("warm_up_doubled", warming.doubled.get());
            numbers.putAll(used.numbers(sent));
            Files.writeString(json, JsonMapper.shared().writeValueAsString(numbers));
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
