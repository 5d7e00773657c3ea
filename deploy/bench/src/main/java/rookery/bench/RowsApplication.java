// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import rookery.bench.RowsOptions.Kind;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/rows}. */
public final class RowsApplication {
    private final RowsOptions options;
    private final TenantAddress site;
    private final Http http;
    private final Session first;
    private final FilledAccounts accounts;
    private @Nullable RoomRows large;

    private RowsApplication(RowsOptions options) throws IOException {
        this.options = options;
        this.site = TenantAddress.at(options.url, options.prefix);
        this.http = Http.to(site);
        this.first = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
        this.accounts = new FilledAccounts(options.data);
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/rows", RowsOptions.HELP, new RowsOptions(), arguments, options -> {
            new RowsApplication(options).measure();
            return true;
        });
    }

    private void measure() throws IOException {
        var rows = new LinkedHashMap<String, Map<String, Object>>();
        for (var kind : options.kinds) {
            var numbers = numbers(kind);
            rows.put(kind.name().toLowerCase(Locale.ROOT), numbers);
            System.out.println(kind.name().toLowerCase(Locale.ROOT));
            numbers.forEach((name, value) -> System.out.println("    %-28s %s".formatted(name, shown(value))));
        }
        var json = options.json;
        if (json != null) {
            Files.writeString(json, JsonMapper.shared().writeValueAsString(rows));
        }
    }

    private Map<String, Object> numbers(Kind kind) throws IOException {
        return switch (kind) {
            case WHOAMI -> new RequestRows(options, site, people(RequestRows.CLIENTS)).whoami();
            case IDLE -> PollRows.idle(options);
            case QUIET -> new RequestRows(options, site, people(RequestRows.CLIENTS)).quiet();
            case CHANGED -> new RequestRows(options, site, people(RequestRows.OWNERS + 1)).changed();
            case SENDS -> new LogRows(options, people(LogRows.CLIENTS)).sends();
            case RECEIPTS ->
                RoomRows.of(options, site, people(RoomRows.READERS)).receipts();
            case LARGE -> large().messages();
            case RENAME -> large().renames();
            case RENEWAL -> new PollRows(options, site, people(options.polls)).renewals();
            case PARKED -> new PollRows(options, site, people(options.polls)).parked();
            case SLIDING -> new SlidingRows(options, people(SlidingRows.PEOPLE)).measure();
        };
    }

    private RoomRows large() throws IOException {
        var made = large;
        if (made == null) {
            made = RoomRows.of(options, site, people(options.members));
            large = made;
        }
        return made;
    }

    private List<Session> people(int number) throws IOException {
        return accounts.fill(http, first, number);
    }

    private static String shown(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.3f", number) : value.toString();
    }
}
