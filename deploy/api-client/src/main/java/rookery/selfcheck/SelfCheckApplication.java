// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rookery.program.Program;

/** The program behind {@code deploy/self-check}. */
public final class SelfCheckApplication {
    private static final String PASSWORD = "ROOKERY_ADMIN_PASSWORD";

    private SelfCheckApplication() {}

    static final class Options {
        @Mixin
        final ClientOptions client = new ClientOptions();

        /** The user name of an administrator. */
        @Option(names = "--admin")
        @Nullable
        String admin;
    }

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/self-check",
                Program.resource(SelfCheckApplication.class, "self-check-help.txt"),
                new Options(),
                arguments,
                SelfCheckApplication::check);
    }

    private static boolean check(Options options) {
        var password = System.getenv(PASSWORD);
        var admin = options.admin == null || password == null ? null : new Account(options.admin, password);
        var settings =
                new SelfCheck.Settings(options.client.site(), options.client.tokens, options.client.accounts(), admin);
        Consumer<String> out = System.out::println;
        var ended = new AtomicBoolean();
        try (var check = new SelfCheck(settings, out)) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
                if (!ended.get()) {
                    out.accept("stopped before its end; left behind: " + check.leftovers());
                }
            }));
            boolean allWorks = check.run();
            ended.set(true);
            return allWorks;
        }
    }
}
