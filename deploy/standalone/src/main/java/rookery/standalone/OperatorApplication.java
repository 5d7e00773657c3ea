// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import rookery.embedded.Secrets;
import rookery.model.id.ServerName;
import rookery.model.id.Shards;
import rookery.model.id.UserId;
import rookery.program.Complaint;
import rookery.program.Program;

/**
 * The program behind {@code deploy/admin}: commands for operators only, such as the creation of the first administrator
 * (contract.md 5.1).
 */
@Command(name = "deploy/admin")
public final class OperatorApplication {

    private static final long DAY_SECONDS = 86_400;
    private static final String NAME = "one name, such as ada";

    enum Log {
        ROOM("room", "room-service"),
        USER("user", "auth-service");

        private final String title;
        private final String owner;

        Log(String title, String owner) {
            this.title = title;
            this.owner = owner;
        }
    }

    /** Data derived from the logs that can be rebuilt. */
    enum Derivation {
        DIRECTORY("directory-service");

        private final String owner;

        Derivation(String owner) {
            this.owner = owner;
        }
    }

    /** The tenant's server name; null for the first tenant. */
    @Option(names = "--tenant", scope = ScopeType.INHERIT)
    private @Nullable String tenant;

    @Option(names = "--data", scope = ScopeType.INHERIT)
    private Path data = Path.of(System.getProperty("rookery.data", "data"));

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT)
    private boolean help;

    OperatorApplication() {}

    public static void main(String[] arguments) {
        try {
            new OperatorApplication().run(List.of(arguments));
            System.exit(0);
        } catch (Complaint complaint) {
            System.err.println("deploy/admin: " + complaint.getMessage());
            System.exit(complaint.exitValue());
        }
    }

    private void run(List<String> words) {
        var line = Program.commandLine(this);
        line.addSubcommand(new TenantCommands(this));
        var command = Program.read(line, words);
        if (help) {
            help();
            return;
        }
        if (!command.hasSubcommand()) {
            throw Complaint.usage("name a command, such as create-admin ada; --help lists the commands");
        }
        try {
            new RunLast().execute(command);
        } catch (ParameterException _) {
            throw Complaint.usage("name a command of tenant, such as tenant list; --help lists the commands");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Complaint complaint ? complaint : e;
        }
    }

    @Command(name = "help")
    void help() {
        System.out.print(Program.resource(OperatorApplication.class, "operator-help.txt"));
    }

    @Command(name = "create-admin")
    void createAdmin(@Parameters(paramLabel = NAME) String name) {
        var rookery = rookery();
        var user = user(name, rookery);
        String typed = password(user);
        String password = typed.isEmpty() ? Secrets.random() : typed;
        rookery.ask("create", Map.of("user", user.value(), "password", password));
        System.out.println("%s is an administrator now".formatted(user.value()));
        if (typed.isEmpty()) {
            System.out.println("its password is %s".formatted(password));
        }
    }

    @Command(name = "promote")
    void promote(@Parameters(paramLabel = NAME) String name) {
        appoint(name, true);
    }

    @Command(name = "demote")
    void demote(@Parameters(paramLabel = NAME) String name) {
        appoint(name, false);
    }

    private void appoint(String name, boolean admin) {
        var rookery = rookery();
        var user = user(name, rookery);
        rookery.ask("promote", Map.of("user", user.value(), "admin", admin));
        System.out.println(
                "%s is %s".formatted(user.value(), admin ? "an administrator now" : "no administrator any more"));
    }

    @Command(name = "registration-token")
    void registrationToken(
            @Option(names = "--grants-admin") boolean grantsAdmin,
            @Option(names = "--uses", defaultValue = "1") int uses) {
        if (uses < 1 || (grantsAdmin && uses > 1)) {
            throw Complaint.usage("--uses needs a number from 1 on, and 1 where the token makes an administrator");
        }
        var body = Map.of("uses", uses, "life_seconds", DAY_SECONDS, "grants_admin", grantsAdmin);
        System.out.println(
                rookery().ask("registration-token", body).path("token").asString());
        System.err.println("good for %s within a day%s"
                .formatted(
                        uses == 1 ? "one registration" : uses + " registrations",
                        grantsAdmin ? ", which makes an administrator" : ""));
    }

    @Command(name = "rebuild")
    void rebuild(@Parameters(paramLabel = "directory") Derivation derivation) {
        var done = new AtomicBoolean();
        rookery().askForLines(derivation.owner, "rebuild", line -> {
            done.set(line.path("done").asBoolean());
            boolean ends = line.path("pos").asLong() >= line.path("end").asLong();
            if (!done.get() && ends) {
                System.out.println("%s: shard %d of %d, %d entries"
                        .formatted(
                                line.path("log").asString(),
                                line.path("shard").asInt() + 1,
                                Shards.COUNT,
                                line.path("end").asLong()));
            }
        });
        if (!done.get()) {
            throw Complaint.failure("the answer was cut off: the directories are as they were, ask again");
        }
        System.out.println("the directories of rooms and users were derived anew");
    }

    @Command(name = "raise-epoch")
    void raiseEpochs(@Parameters(arity = "0..1", paramLabel = "log") @Nullable Log only) {
        var rookery = rookery();
        for (var log : Log.values()) {
            if (only == null || only == log) {
                long epoch =
                        rookery.askOwner(log.owner, "raise-epoch").path("epoch").asLong();
                System.out.println("the %s log continues in epoch %d: clients with later tokens start with a full sync"
                        .formatted(log.title, epoch));
            }
        }
    }

    @Command(name = "trust-timeline")
    void trustTimeline() {
        var rookery = rookery();
        for (var log : Log.values()) {
            boolean changed = rookery.askOwner(log.owner, "trust-timeline")
                    .path("changed")
                    .asBoolean();
            System.out.println(
                    changed
                            ? "the database of the %s log is trusted: it goes on as it was".formatted(log.title)
                            : "the database of the %s log has not changed".formatted(log.title));
        }
    }

    Path data() {
        return data;
    }

    private RunningRookery rookery() {
        return RunningRookery.at(data, tenant);
    }

    private static UserId user(String name, RunningRookery rookery) {
        try {
            return name.startsWith("@") ? new UserId(name) : UserId.of(name, new ServerName(rookery.serverName()));
        } catch (RuntimeException e) {
            throw Complaint.usage("%s can be no user's name: %s".formatted(name, e.getMessage()));
        }
    }

    /** Reads the password from the terminal without echo, or a line of standard input; empty without input. */
    private static String password(UserId user) {
        var console = Optional.ofNullable(System.console()).filter(Console::isTerminal);
        if (console.isPresent()) {
            char @Nullable [] typed = console.get().readPassword("password of %s (empty: one is made): ", user.value());
            return typed == null ? "" : new String(typed);
        }
        try {
            var line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
