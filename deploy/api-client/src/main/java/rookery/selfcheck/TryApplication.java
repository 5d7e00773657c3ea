// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.net.ConnectException;
import rookery.e2e.api.Http;
import rookery.e2e.api.UnexpectedAnswerException;
import rookery.program.Complaint;
import rookery.program.Program;

/** The program behind {@code deploy/try}. */
public final class TryApplication {
    private TryApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run(
                "deploy/try",
                Program.resource(TryApplication.class, "try-help.txt"),
                new ClientOptions(),
                arguments,
                TryApplication::play);
    }

    private static boolean play(ClientOptions options) {
        var site = options.site();
        var clock = new PatientClock(System.out::println);
        try (var http = Http.waiting(site, clock)) {
            var people = new People(http, clock, options.tokens, options.accounts());
            new Conversation(http, clock, System.out::println).play(people.person("ada", 0), people.person("grace", 1));
            return true;
        } catch (ConnectException _) {
            throw Complaint.failure(
                    "nothing listens at %s: start the server with deploy/run, then try again".formatted(site.base()));
        } catch (IOException | UnexpectedAnswerException e) {
            throw Complaint.failure("%s: %s".formatted(site.base(), e.getMessage()));
        }
    }
}
