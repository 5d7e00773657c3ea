// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import rookery.model.id.ServerName;

/** The text of a ready run: a first line for scripts, then the next steps of the operator. */
final class Greeting {
    private Greeting() {}

    /**
     * Formats the text.
     *
     * @param unserved tenants of the data that neither the options of this run nor the registry have
     * @param open tenants with open registration on a public address
     */
    static String text(Options options, List<String> unserved, List<ServerName> open, double seconds) {
        var url = options.url();
        return String.format(
                Locale.ROOT,
                """
                ready %s

                  try         deploy/try %s
                              curl %s/_api/client/versions
                  chat        give a Matrix client (Element, Cinny, ...) the homeserver %s
                  console     %s/_rookery/console for administrators; the first one: deploy/admin create-admin NAME
                  reached     %s
                %s  rate limit  %d requests a minute from one address; two people with a web client need about 1000:
                              deploy/run --max-requests 1000
                  mail        %s
                  set more    who may register, where clients are told to connect to (discovery), a mail server, pictures and tokens
                              of old clients: deploy/run --help
                  data        %s (logs in %s)
                %s  started in  %.1f s; Ctrl-C stops everything
                """,
                url,
                url,
                url,
                url,
                url,
                reached(options),
                warning(open),
                options.maxRequests,
                mail(options),
                options.data,
                options.data.resolve("logs"),
                notServed(unserved),
                seconds);
    }

    /** One line; empty without such tenants. */
    private static String notServed(List<String> tenants) {
        return tenants.isEmpty()
                ? ""
                : "  not served  %s: the data stay, and are served again with %s%n"
                        .formatted(
                                String.join(", ", tenants),
                                tenants.stream().map(name -> "--tenant " + name).collect(Collectors.joining(" ")));
    }

    private static String reached(Options options) {
        if (options.publicUrl != null && options.listen.isLoopbackAddress()) {
            return "by the proxy on this machine, at " + options.publicUrl;
        }
        return options.listen.isLoopbackAddress()
                ? "from this machine only; to let others in: deploy/run --listen 0.0.0.0, or a proxy on this machine"
                : "from wherever this machine is, without encryption (TLS): put a proxy with a certificate before it";
    }

    /** Two lines; empty without such tenants. */
    private static String warning(List<ServerName> open) {
        return open.isEmpty()
                ? ""
                : """
                  WARNING     whoever reaches this machine can make an account at %s; where you do not want that:
                              ROOKERY_AUTH_REGISTRATION_MODE=token deploy/run ...
                """.formatted(open.stream().map(ServerName::value).collect(Collectors.joining(", ")));
    }

    private static String mail(Options options) {
        return System.getenv("SPRING_MAIL_HOST") == null
                ? "not sent, but written to " + options.data.resolve("mail")
                : "sent by " + System.getenv("SPRING_MAIL_HOST");
    }
}
