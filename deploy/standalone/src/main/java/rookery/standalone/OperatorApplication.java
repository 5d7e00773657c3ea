// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import rookery.model.id.Shards;
import rookery.program.Complaint;
import rookery.program.Program;
import tools.jackson.databind.JsonNode;

/**
 * The program behind {@code deploy/admin}: commands for operators only, such as the creation of the first administrator
 * (contract.md 5.1).
 */
@Command(name = "deploy/admin")
public final class OperatorApplication {

    private static final long DAY_MILLIS = 86_400_000;
    private static final String NAME = "one name, such as ada";

    enum Log {
        ROOM("room"),
        USER("user");

        private final String title;

        Log(String title) {
            this.title = title;
        }
    }

    /** Data derived from the logs that can be rebuilt. */
    enum Derivation {
        DIRECTORY("directory");

        private final String title;

        Derivation(String title) {
            this.title = title;
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
        var command = Program.read(commandLine(), words);
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
            throw Complaint.usage(
                    "name a command of tenant, tokens or operator, such as tenant list; --help lists the commands");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Complaint complaint ? complaint : e;
        }
    }

    CommandLine commandLine() {
        return Program.commandLine(this)
                .addSubcommand(new TenantCommands(this))
                .addSubcommand(new TokenCommands(this))
                .addSubcommand(new CredentialCommands(this));
    }

    @Command(name = "help")
    void help() {
        System.out.print(Program.resource(OperatorApplication.class, "operator-help.txt"));
    }

    @Command(name = "create-admin")
    void createAdmin(@Parameters(paramLabel = NAME) String name) {
        accounts().createAdministrator(name);
    }

    @Command(name = "promote")
    void promote(@Parameters(paramLabel = NAME) String name) {
        accounts().appoint(name, true);
    }

    @Command(name = "demote")
    void demote(@Parameters(paramLabel = NAME) String name) {
        accounts().appoint(name, false);
    }

    @Command(name = "reset-password")
    void resetPassword(
            @Parameters(paramLabel = NAME) String name, @Option(names = "--keep-devices") boolean keepsDevices) {
        accounts().resetPassword(name, keepsDevices);
    }

    @Command(name = "export-user")
    void exportUser(
            @Parameters(paramLabel = NAME) String name, @Parameters(paramLabel = "a file, such as ada.zip") Path file) {
        var client = client();
        new PersonExport(client).write(client.tenant(tenant), name, file);
    }

    private AccountCommands accounts() {
        return new AccountCommands(client(), tenant);
    }

    @Command(name = "registration-token")
    void registrationToken(
            @Option(names = "--grants-admin") boolean grantsAdmin,
            @Option(names = "--uses", defaultValue = "1") int uses) {
        if (uses < 1 || (grantsAdmin && uses > 1)) {
            throw Complaint.usage("--uses needs a number from 1 on, and 1 where the token makes an administrator");
        }
        var client = client();
        var body = Map.of("uses", uses, "expires_in_ms", DAY_MILLIS, "grants_admin", grantsAdmin);
        System.out.println(client.ask("POST", client.tenant(tenant) + "/registration-tokens", body)
                .path("token")
                .asString());
        System.err.println("good for %s within a day%s"
                .formatted(
                        uses == 1 ? "one registration" : uses + " registrations",
                        grantsAdmin ? ", which makes an administrator" : ""));
    }

    @Command(name = "rebuild")
    void rebuild(@Parameters(paramLabel = "directory") Derivation derivation) {
        var done = new AtomicBoolean();
        client().askForLines("/rebuild/" + derivation.title, line -> {
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
        for (var log : Log.values()) {
            if (only == null || only == log) {
                long epoch = ask(log, "raise-epoch").path("epoch").asLong();
                System.out.println("the %s log continues in epoch %d: clients with later tokens start with a full sync"
                        .formatted(log.title, epoch));
            }
        }
    }

    @Command(name = "trust-timeline")
    void trustTimeline() {
        for (var log : Log.values()) {
            System.out.println(
                    ask(log, "trust-timeline").path("changed").asBoolean()
                            ? "the database of the %s log is trusted: it goes on as it was".formatted(log.title)
                            : "the database of the %s log has not changed".formatted(log.title));
        }
    }

    private JsonNode ask(Log log, String action) {
        return client().ask("POST", "/logs/%s/%s".formatted(log.title, action), null);
    }

    /** The API of the Rookery that the options or the environment name. */
    OperatorClient client() {
        return OperatorClient.of(data);
    }

    /** The tenant's server name; null for the first tenant. */
    @Nullable
    String tenant() {
        return tenant;
    }
}
