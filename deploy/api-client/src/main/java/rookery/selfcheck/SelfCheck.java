// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;

/**
 * The self-check of a server, made by a client. Two users play a conversation and call each family of endpoints; the result of a
 * family is one line: works, fails with the place to look at, off, or not checked.
 */
public final class SelfCheck implements AutoCloseable {
    private static final String UPLOADS = "/_api/media";

    private final Consumer<String> out;
    private final Settings settings;
    private final Visit visit;
    private final Checklist list;

    /**
     * The parameters of a self-check.
     *
     * @param tokens zero to two registration tokens; a single token serves both users
     * @param accounts two, or none to register new users
     * @param admin the account of an administrator, or null
     */
    public record Settings(
            TenantAddress site,
            List<String> tokens,
            List<Account> accounts,
            @Nullable Account admin) {}

    public SelfCheck(Settings settings, Consumer<String> out) {
        this.out = out;
        this.settings = settings;
        var clock = new PatientClock(out);
        this.visit = new Visit(
                Http.waiting(settings.site, clock),
                Http.waiting(settings.site.withPrefix(UPLOADS), clock),
                clock,
                !settings.accounts.isEmpty());
        this.list = new Checklist(settings.site.base().toString(), out);
    }

    /** Runs all checks. Returns whether all families work. */
    public boolean run() {
        out.accept("checking " + settings.site.base());
        var accounts = new AccountChecks(visit);
        var rooms = new RoomChecks(visit);
        var services = new ServiceChecks(visit);
        list.check(Family.HEALTH, services::health);
        list.check(Family.ACCOUNTS, this::accounts);
        list.check(Family.SESSIONS, accounts::sessions);
        list.check(Family.ROOMS, rooms::rooms);
        list.check(Family.CONVERSATION, rooms::conversation);
        list.check(Family.HISTORY, rooms::history);
        list.check(Family.RECEIPTS, rooms::receipts);
        list.check(Family.TYPING, rooms::typing);
        list.check(Family.NOTIFICATIONS, rooms::notifications);
        list.check(Family.DIRECTORIES, rooms::directories);
        list.check(Family.ENCRYPTION, accounts::encryption);
        list.check(Family.FILES, services::files);
        list.check(Family.FILTERS, services::filters);
        list.check(Family.PUSH_RULES, services::pushRules);
        list.check(Family.PUSHERS, services::pushers);
        list.check(Family.ADDRESSES, accounts::addresses);
        list.check(Family.ADMINISTRATION, new AdministrationCheck(visit, settings.admin)::administration);
        list.check(Family.STATISTICS, services::statistics);
        if (visit.people().isEmpty()) {
            out.accept(list.summary());
        } else {
            list.check(Family.FAREWELL, accounts::farewell);
            out.accept(list.summary() + "; left behind: " + visit.leftovers());
        }
        return list.allWorks();
    }

    /** The data that would remain on the server if the check ended now. */
    String leftovers() {
        return visit.leftovers();
    }

    private String accounts() throws IOException {
        visit.http.call("GET", "/v3/login", null, null).ok();
        var people = new People(visit.http, visit.clock, settings.tokens, settings.accounts);
        var ada = recorded(people.person("self-check-ada", 0));
        visit.ada(ada);
        var grace = recorded(people.person("self-check-grace", 1));
        visit.grace(grace);
        UnmetException.expect(!ada.userId().equals(grace.userId()), "both accounts are the same");
        for (var person : visit.people()) {
            UnmetException.expect(
                    person.get("/v3/account/whoami")
                            .path("user_id")
                            .asString("")
                            .equals(person.userId()),
                    "whoami names somebody else");
        }
        return "%s %s and %s".formatted(visit.isOfOthers ? "logged in" : "registered", ada.userId(), grace.userId());
    }

    private Person recorded(Person person) {
        visit.leaves(person.userId(), (visit.isOfOthers ? "a device of " : "the account ") + person.userId());
        return person;
    }

    @Override
    public void close() {
        visit.http.close();
        visit.media.close();
    }
}
