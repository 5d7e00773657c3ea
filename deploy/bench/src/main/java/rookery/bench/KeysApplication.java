package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Option;
import rookery.bench.ClosedLoop.Request;
import rookery.bench.ClosedLoop.Result;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.api.TenantAddress;
import rookery.program.Program;

/** What {@code deploy/bench/keys} runs: the costs of contract.md 13.5 through the gateway. */
public final class KeysApplication {
    private static final String HELP = """
            deploy/bench/keys measures a Rookery that runs on this machine, with 32 clients that ask again as soon as they are answered

            claims:  one one-time key in each request, of devices with 1,000 each; how many keys were left in the end is told
            queries: the keys of ten users' devices in each request
            syncs:   a sync with nothing new, of a user with 50 devices that all have keys and of a user with one that has none, in
                     turns; the ratio of their medians

              --url URL            where it is (http://localhost:8008); start it with --max-requests 1000000000, and for claims with
                                   ROOKERY_AUTH_KEYS_CLAIMSPERDAY=1000000000 in its environment
              --prefix PATH        of every request (/_api/client)
              --only KINDS         what is measured, such as claims,queries (claims,queries,syncs)
              --seconds N          of each measurement (60)
              --warm-up N          seconds of the same requests before each (60)
              --data DIR           its data folder (data/ in the project); accounts are written into the database, not registered
            """;

    private static final int CLIENTS = 32;
    private static final int OWNERS = 100;
    private static final int KEYS = 1_000;
    private static final int QUERIED = 10;
    private static final int DEVICES = 50;
    private static final int ROUNDS = 3;
    private static final String ALGORITHM = "signed_curve25519";

    /** Something that can be measured by itself, in the order in which it is. */
    enum Kind {
        CLAIMS,
        QUERIES,
        SYNCS
    }

    private static final class KeysOptions extends LoadOptions {
        @Option(names = "--only", split = Program.COMMA, paramLabel = "some of claims,queries,syncs")
        EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);
    }

    private final LoadOptions options;
    private final Http http;
    private final List<Session> clients;
    private final List<Session> owners;
    private final AtomicInteger turn = new AtomicInteger();

    private KeysApplication(LoadOptions options) throws IOException {
        this.options = options;
        this.http = Http.to(TenantAddress.at(options.url, options.prefix));
        var first = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
        var people = new FilledAccounts(options.data).fill(http, first, CLIENTS + OWNERS);
        this.clients = people.subList(0, CLIENTS);
        this.owners = people.subList(CLIENTS, people.size());
        shareARoom(first, people);
    }

    /** Keys are for those who share one with their owner. */
    private static void shareARoom(Session host, List<Session> people) throws IOException {
        var room = host.createRoom(Map.of("preset", "public_chat"));
        Parallel.run(CLIENTS, 0, people.size(), i -> people.get(i).join(room));
    }

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/keys", HELP, new KeysOptions(), arguments, options -> {
            var keys = new KeysApplication(options);
            for (var kind : options.kinds) {
                keys.measure(kind);
            }
            return true;
        });
    }

    private void measure(Kind kind) throws IOException {
        switch (kind) {
            case CLAIMS -> claims();
            case QUERIES -> queries();
            case SYNCS -> syncs();
        }
    }

    private void claims() throws IOException {
        System.out.println("uploading %d keys of each of %d devices".formatted(KEYS, OWNERS));
        Parallel.run(CLIENTS, 0, OWNERS, i -> upload(owners.get(i), KEYS));
        warmedUp("claims", this::claim);
        long left = 0;
        for (var owner : owners) {
            left += owner.post("/v3/keys/upload", Map.of())
                    .path("one_time_key_counts")
                    .path(ALGORITHM)
                    .asInt(0);
        }
        System.out.println("    %d of %d keys were left in the end; with none left, claims were answered with none"
                .formatted(left, OWNERS * KEYS));
    }

    private Answer claim(int client) throws IOException {
        var owner = owners.get(Math.floorMod(turn.getAndIncrement(), OWNERS));
        var wish = Map.of("one_time_keys", Map.of(owner.userId(), Map.of(owner.deviceId(), ALGORITHM)));
        return clients.get(client).call("POST", "/v3/keys/claim", wish);
    }

    private void queries() throws IOException {
        Parallel.run(CLIENTS, 0, OWNERS, i -> uploadDeviceKeys(owners.get(i)));
        warmedUp("queries of %d users".formatted(QUERIED), this::query);
    }

    private Answer query(int client) throws IOException {
        var wish = new HashMap<String, List<String>>();
        for (int i = 0; i < QUERIED; i++) {
            wish.put(owners.get(Math.floorMod(turn.getAndIncrement(), OWNERS)).userId(), List.of());
        }
        return clients.get(client).call("POST", "/v3/keys/query", Map.of("device_keys", wish));
    }

    private void warmedUp(String what, Request request) {
        System.out.println("%s: warming up for %d s".formatted(what, options.warmUp.toSeconds()));
        new ClosedLoop(CLIENTS, options.warmUp).run(request);
        new Measurement(CLIENTS, options.length, options.data).report(what, request);
    }

    /** In turns within one run, so that what slows the machine slows both. */
    private void syncs() throws IOException {
        var name = "bench-keys-" + Long.toHexString(new SecureRandom().nextLong());
        var devices = new ArrayList<Session>();
        devices.add(Session.register(http, name));
        while (devices.size() < DEVICES) {
            devices.add(Session.login(http, name));
        }
        for (var device : devices) {
            uploadDeviceKeys(device);
            upload(device, DEVICES);
        }
        var plain = Session.register(http, name + "-plain");
        var withKeys = sync(devices);
        var without = sync(List.of(plain));
        System.out.println("syncs: warming up for %d s".formatted(options.warmUp.toSeconds()));
        new ClosedLoop(CLIENTS, options.warmUp.dividedBy(2)).run(without);
        new ClosedLoop(CLIENTS, options.warmUp.dividedBy(2)).run(withKeys);
        var part = options.length.dividedBy(ROUNDS);
        for (int i = 0; i < ROUNDS; i++) {
            var plainly = told("sync of 1 device without keys", new ClosedLoop(CLIENTS, part).run(without));
            var richly = told(
                    "sync of %d devices with keys".formatted(DEVICES), new ClosedLoop(CLIENTS, part).run(withKeys));
            System.out.println(String.format(
                    Locale.ROOT,
                    "    with keys %.3f times as long as without (medians)",
                    richly.latencies().summary().p50()
                            / plainly.latencies().summary().p50()));
        }
    }

    private static Result told(String what, Result result) {
        System.out.println("%-30s %8.1f a second, %d failed; %s"
                .formatted(
                        what,
                        result.perSecond(),
                        result.failed(),
                        result.latencies().summary()));
        return result;
    }

    /** Each client asks as one of the devices. */
    private static Request sync(List<Session> devices) throws IOException {
        var since = new ArrayList<String>();
        for (var device : devices) {
            since.add(device.sync(SyncQuery.initial()).path("next_batch").asString());
        }
        return client -> {
            int i = client % devices.size();
            return devices.get(i).trySync(SyncQuery.since(since.get(i)));
        };
    }

    private static void upload(Session owner, int number) throws IOException {
        Map<String, Object> keys = new LinkedHashMap<>();
        for (int i = 0; i < number; i++) {
            keys.put(ALGORITHM + ":K" + i, Map.of("key", "k" + i));
        }
        owner.post("/v3/keys/upload", Map.of("one_time_keys", keys));
    }

    private static void uploadDeviceKeys(Session owner) throws IOException {
        var keys = Map.of(
                "user_id",
                owner.userId(),
                "device_id",
                owner.deviceId(),
                "algorithms",
                List.of("m.olm.v1.curve25519-aes-sha2"),
                "keys",
                Map.of("ed25519:" + owner.deviceId(), "key"),
                "signatures",
                Map.of());
        owner.post("/v3/keys/upload", Map.of("device_keys", keys));
    }
}
