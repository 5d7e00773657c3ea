package rookery.standalone;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The first line says that all is ready; the others, what to do next. */
final class Greeting {
    private Greeting() {}

    static String text(Options options, List<String> unservedTenants, double seconds) {
        var url = options.url();
        return String.format(
                Locale.ROOT,
                """
                ready %s

                  try         deploy/try %s
                              curl %s/_api/client/versions
                  chat        give a Matrix client (Element, Cinny, ...) the homeserver %s
                  reached     %s
                  rate limit  %d requests a minute from one address; two people with a web client need about 1000:
                              deploy/run --max-requests 1000
                  data        %s (logs in %s)
                %s  started in  %.1f s; Ctrl-C stops everything
                """,
                url,
                url,
                url,
                url,
                reached(options),
                options.maxRequests,
                options.data,
                options.data.resolve("logs"),
                notServed(unservedTenants),
                seconds);
    }

    /** A line, if there are such tenants. */
    private static String notServed(List<String> tenants) {
        return tenants.isEmpty()
                ? ""
                : "  not served  %s: the data stay, and are served again with %s%n"
                        .formatted(
                                String.join(", ", tenants),
                                tenants.stream().map(name -> "--tenant " + name).collect(Collectors.joining(" ")));
    }

    private static String reached(Options options) {
        return options.listen.isLoopbackAddress()
                ? "from this machine only; to let others in: deploy/run --listen 0.0.0.0"
                : "from wherever this machine is, without encryption: put a proxy with a certificate before it";
    }
}
