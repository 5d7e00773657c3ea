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
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import rookery.embedded.Secrets;
import rookery.model.id.ServerName;
import rookery.model.id.Shards;
import rookery.model.id.UserId;

/** What {@code deploy/admin} runs: what only operators may do, such as making the first administrator (contract.md 5.1). */
public final class OperatorApplication {
    private static final String HELP = "operator-help.txt";
    private static final long DAY_SECONDS = 86_400;
    /** By log. */
    private static final SortedMap<String, String> OWNERS =
            new TreeMap<>(Map.of("room", "room-service", "user", "auth-service"));

    private final OperatorOptions options;
    private final RunningRookery rookery;

    private OperatorApplication(OperatorOptions options) {
        this.options = options;
        this.rookery = RunningRookery.at(options.data(), options.tenant());
    }

    public static void main(String[] arguments) {
        try {
            var options =
                    OperatorOptions.parse(List.of(arguments), Path.of(System.getProperty("rookery.data", "data")));
            if (options.command().equals("help")) {
                System.out.print(help());
            } else {
                new OperatorApplication(options).run();
            }
            System.exit(0);
        } catch (Complaint complaint) {
            System.err.println("deploy/admin: " + complaint.getMessage());
            System.exit(complaint.exitValue());
        }
    }

    private void run() {
        switch (options.command()) {
            case "create-admin" -> createAdmin();
            case "promote" -> appoint(true);
            case "demote" -> appoint(false);
            case "registration-token" -> registrationToken();
            case "rebuild" -> rebuild();
            case "raise-epoch" -> raiseEpochs();
            case "trust-timeline" -> trustTimeline();
            default -> throw new IllegalStateException(options.command());
        }
    }

    private void createAdmin() {
        var user = user();
        String given = password(user);
        String password = given.isEmpty() ? Secrets.random() : given;
        rookery.ask("create", Map.of("user", user.value(), "password", password));
        System.out.println("%s is an administrator now".formatted(user.value()));
        if (given.isEmpty()) {
            System.out.println("its password is %s".formatted(password));
        }
    }

    private void appoint(boolean admin) {
        var user = user();
        rookery.ask("promote", Map.of("user", user.value(), "admin", admin));
        System.out.println(
                "%s is %s".formatted(user.value(), admin ? "an administrator now" : "no administrator any more"));
    }

    private void registrationToken() {
        var wish = Map.of("uses", 1, "life_seconds", DAY_SECONDS, "grants_admin", options.grantsAdmin());
        System.out.println(rookery.ask("registration-token", wish).path("token").asString());
        System.err.println("good for one registration within a day%s"
                .formatted(options.grantsAdmin() ? ", which makes an administrator" : ""));
    }

    private void rebuild() {
        var done = new AtomicBoolean();
        rookery.askForLines("directory-service", "rebuild", line -> {
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

    private void raiseEpochs() {
        OWNERS.forEach((log, owner) -> {
            if (options.name() == null || log.equals(options.name())) {
                long epoch =
                        rookery.askOwner(owner, "raise-epoch").path("epoch").asLong();
                System.out.println("the %s log goes on in epoch %d: clients that have seen more than it has begin anew"
                        .formatted(log, epoch));
            }
        });
    }

    private void trustTimeline() {
        OWNERS.forEach((log, owner) -> {
            boolean changed =
                    rookery.askOwner(owner, "trust-timeline").path("changed").asBoolean();
            System.out.println(
                    changed
                            ? "the database of the %s log is trusted: it goes on as it was".formatted(log)
                            : "the database of the %s log is the one that it was".formatted(log));
        });
    }

    private UserId user() {
        var name = Objects.requireNonNull(options.name());
        try {
            return name.startsWith("@") ? new UserId(name) : UserId.of(name, new ServerName(rookery.serverName()));
        } catch (RuntimeException e) {
            throw Complaint.usage("%s can be no user's name: %s".formatted(name, e.getMessage()));
        }
    }

    /** From the keyboard without showing it, or a line of whatever is our input; empty when there is none. */
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

    private static String help() {
        try (var text = OperatorApplication.class.getResourceAsStream(HELP)) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
