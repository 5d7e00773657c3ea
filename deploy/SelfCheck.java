import java.io.IOException;
import java.net.ConnectException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * Whether a Rookery does what it should, seen from where its clients are: deploy/self-check runs it from its source. Two new users
 * play a conversation and call each family of endpoints; each family has a line that says whether it works, and if not, what to do.
 * Both users are deactivated at the end.
 */
final class SelfCheck extends PatientClient {
    private static final String USAGE = """
            deploy/self-check [URL] [--admin NAME]
                URL           of the server; http://localhost:8008 when none is given
                --admin NAME  also checks administration, as this administrator; the password is taken from ROOKERY_ADMIN_PASSWORD
            Ends with 0 when all works, with 1 when something does not.""";

    private static final String HEAD = "%-8s %-16s %s";
    private static final int POLLS_MAX = 5;

    private int failed;
    private Person ada;
    private Person grace;
    private String room;
    private String event;

    private SelfCheck(String url) {
        super(url);
    }

    /** What is checked; what it returns is said behind it. */
    private interface Check {
        String run() throws IOException, InterruptedException;
    }

    /** Something that is switched off on purpose: no failure. */
    private static final class OffException extends IOException {
        OffException(String why) {
            super(why);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        var left = new ArrayList<>(List.of(arguments));
        String admin = null;
        int at = left.indexOf("--admin");
        if (at >= 0 && at + 1 < left.size()) {
            admin = left.remove(at + 1);
            left.remove(at);
        }
        if (left.size() > 1 || (left.size() == 1 && left.getFirst().startsWith("-"))) {
            boolean helps = left.size() == 1 && left.getFirst().matches("-h|--help");
            (helps ? System.out : System.err).println(USAGE);
            System.exit(helps ? 0 : 2);
        }
        System.exit(new SelfCheck(address(left.isEmpty() ? "http://localhost:8008" : left.getFirst())).all(admin) ? 0 : 1);
    }

    private boolean all(String admin) throws InterruptedException {
        say("checking " + url);
        if (!check("health", this::health, "see which check is not ok, and the log of the service that does it (see the map in README.md)")) {
            return false;
        }
        if (!check("accounts", this::accounts, "auth-service and its database; see the log of auth-service")) {
            return false;
        }
        check("sessions", this::sessions, "auth-service; Redis if a revoked token still works");
        if (check("rooms", this::rooms, "room-service and its database")) {
            check("conversation", this::conversation, "sync-service, and Kafka between it and room-service (log_behind_seconds)");
            check("history", this::history, "room-service");
            check("receipts", this::receipts, "room-service, and sync-service, which tells of them");
            check("typing", this::typing, "room-service, Kafka's topic ephemeral, sync-service");
            check("notifications", this::notifications, "push-service: does it follow the log (log_behind_seconds)?");
            check("directories", this::directories, "directory-service: does it follow the log (log_behind_seconds)?");
            check("encryption", this::encryption, "auth-service, which keeps keys and messages to devices; sync-service, which tells of them");
        }
        check("files", this::files, "room-service, and its folder or bucket (rookery.room.media in room-service.yml)");
        check("filters", this::filters, "sync-service and its database");
        check("push rules", this::pushRules, "auth-service keeps them, push-service serves them");
        check("pushers", this::pushers, "push-service and its database");
        check("addresses", this::addresses, "auth-service; for mail see spring.mail.* (auth-service.yml)");
        check("administration", () -> administration(admin), "admin-service, and that the administrator is one (deploy/admin promote)");
        check("statistics", this::statistics, "admin-service; rookery.admin.metrics.networks says who may read metrics");
        check("farewell", this::farewell, "auth-service");
        say(failed == 0 ? "all works" : failed + " of these do not work");
        return failed == 0;
    }

    private boolean check(String family, Check check, String remedy) throws InterruptedException {
        try {
            say(HEAD.formatted("works", family, check.run()));
            return true;
        } catch (OffException e) {
            say(HEAD.formatted("off", family, e.getMessage()));
            return true;
        } catch (ConnectException e) {
            say(HEAD.formatted("FAILS", family, "nothing listens at " + url + ": is it started, and is this its address?"));
        } catch (IOException | RuntimeException e) {
            say(HEAD.formatted("FAILS", family, e.getMessage() == null ? e.toString() : e.getMessage()));
            say(HEAD.formatted("", "", "look at: " + remedy));
        }
        failed++;
        return false;
    }

    private String health() throws IOException, InterruptedException {
        expect(send(null, "GET", "/health", null), 200);
        expect(send(null, "GET", "/health/live", null), 200);
        var ready = send(null, "GET", "/health/ready", null);
        expect(ready.status() == 200, "not ready: " + Json.write(map(ready.body(), "checks")));
        return Json.write(map(ready.body(), "checks")).replaceAll("[{}\"]", "").replace(":", " ").replace(",", ", ");
    }

    private String accounts() throws IOException, InterruptedException {
        call(null, "GET", "/v3/login", null);
        var free = send(null, "GET", "/v3/register/available?username=self-check-" + System.nanoTime(), null);
        expect(free.status() != 403, "nobody may register here (rookery.auth.registration.mode): this check needs two new users");
        free.orFail();
        ada = register("self-check-ada");
        grace = register("self-check-grace");
        expect(text(call(ada, "GET", "/v3/account/whoami", null), "user_id").equals(ada.user()), "whoami names somebody else");
        return "registered " + ada.user() + " and " + grace.user();
    }

    private String sessions() throws IOException, InterruptedException {
        var wish = object("type", "m.login.password", "identifier", object("type", "m.id.user", "user", ada.user()), "password",
                ada.password(), "refresh_token", true);
        var first = call(null, "POST", "/v3/login", wish);
        var refreshed = call(null, "POST", "/v3/token/refresh",
                object("access_token", text(first, "access_token"), "refresh_token", text(first, "refresh_token")));
        var second = new Person("ada", ada.user(), "", text(refreshed, "access_token"));
        call(second, "POST", "/v3/logout", object());
        var after = send(second, "GET", "/v3/account/whoami", null);
        expect(after.status() == 401, "a token was accepted after its session was ended (%d)".formatted(after.status()));
        expect(send(null, "GET", "/v3/login/sso/redirect", null), 501);
        expect(send(ada, "POST", "/v1/login/get_token", object()), 401, 400);
        var last = new Person("grace", grace.user(), "", text(call(null, "POST", "/v3/login",
                object("type", "m.login.password", "identifier", object("type", "m.id.user", "user", grace.user()), "password",
                        grace.password())), "access_token"));
        call(last, "POST", "/v3/logout/all", object());
        expect(send(grace, "GET", "/v3/account/whoami", null), 401);
        grace = new Person("grace", grace.user(), grace.password(), text(call(null, "POST", "/v3/login",
                object("type", "m.login.password", "identifier", object("type", "m.id.user", "user", grace.user()), "password",
                        grace.password())), "access_token"));
        return "login, refresh, logout and logout/all; ended sessions are refused";
    }

    private String rooms() throws IOException, InterruptedException {
        room = text(call(ada, "POST", "/v3/createRoom", object("name", "Self-check", "preset", "private_chat", "topic", "Goes away again")),
                "room_id");
        call(ada, "POST", roomPath(room) + "/invite", object("user_id", grace.user()));
        sync(ada, 0);
        expect(map(map(sync(grace, 0), "rooms"), "invite").containsKey(room), "the invitation is not in the invited user's sync");
        call(grace, "POST", "/v3/join/" + encoded(room), object());
        expect(map(call(ada, "GET", roomPath(room) + "/joined_members", null), "joined").size() == 2, "the room has not two members");
        return "created " + room + ", invited and joined";
    }

    /** Ten messages, each sent while its reader waits. */
    private String conversation() throws IOException, InterruptedException {
        var times = new ArrayList<Double>();
        for (int i = 0; i < 10; i++) {
            times.add(exchange(i % 2 == 0 ? ada : grace, i % 2 == 0 ? grace : ada, "message " + i));
        }
        times.sort(null);
        return "10 messages reached who waited for them; half within %.0f ms, all within %.0f ms"
                .formatted(times.get(times.size() / 2), times.getLast());
    }

    private double exchange(Person sender, Person reader, String line) throws IOException, InterruptedException {
        sync(reader, 0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Long> poll = () -> arrival(reader, line);
            var arrival = threads.submit(poll);
            Thread.sleep(100); // the reader shall wait already
            long begun = System.nanoTime();
            event = text(call(sender, "PUT", roomPath(room) + "/send/m.room.message/" + begun,
                    object("msgtype", "m.text", "body", line)), "event_id");
            return (arrival.get() - begun) / 1e6;
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    private long arrival(Person reader, String line) throws IOException, InterruptedException {
        return waitFor(reader, line, answer -> list(map(joined(answer), "timeline"), "events").stream()
                .anyMatch(each -> line.equals(map(each, "content").get("body"))));
    }

    private Map<String, Object> joined(Map<String, Object> answer) {
        return map(map(map(answer, "rooms"), "join"), room);
    }

    private String history() throws IOException, InterruptedException {
        var page = call(grace, "GET", roomPath(room) + "/messages?dir=b&limit=5", null);
        var older = call(grace, "GET", roomPath(room) + "/messages?dir=b&limit=100&from=" + encoded(text(page, "end")), null);
        long told = list(page, "chunk").size() + list(older, "chunk").stream()
                .filter(each -> text(each, "type").equals("m.room.message")).count();
        expect(told == 10, "paging back tells %d of 10 messages".formatted(told));
        expect(text(map(call(ada, "GET", roomPath(room) + "/context/" + encoded(event) + "?limit=4", null), "event"), "event_id")
                .equals(event), "the context of an event is that of another");
        return "messages and context";
    }

    private String receipts() throws IOException, InterruptedException {
        sync(ada, 0);
        call(grace, "POST", roomPath(room) + "/receipt/m.read/" + encoded(event), object());
        call(grace, "POST", roomPath(room) + "/receipt/m.read.private/" + encoded(event), object());
        call(grace, "POST", roomPath(room) + "/read_markers", object("m.fully_read", event));
        waitFor(ada, "the receipt", answer -> isTold(answer, "m.receipt"));
        return "receipts, private receipts and markers";
    }

    private boolean isTold(Map<String, Object> answer, String type) {
        return list(map(joined(answer), "ephemeral"), "events").stream().anyMatch(each -> text(each, "type").equals(type));
    }

    private String typing() throws IOException, InterruptedException {
        sync(ada, 0);
        var path = roomPath(room) + "/typing/" + encoded(grace.user());
        call(grace, "PUT", path, object("typing", true, "timeout", 20_000));
        waitFor(ada, "typing", answer -> isTold(answer, "m.typing"));
        call(grace, "PUT", path, object("typing", false));
        return "told to the other member";
    }

    private String notifications() throws IOException, InterruptedException {
        askUntil(() -> !list(call(ada, "GET", "/v3/notifications?limit=5", null), "notifications").isEmpty(),
                "no message of the conversation is among the notifications after 30 s");
        return "the conversation is among them";
    }

    private String directories() throws IOException, InterruptedException {
        var server = ada.user().substring(ada.user().indexOf(':'));
        var alias = "/v3/directory/room/" + encoded("#self-check-" + System.nanoTime() + server);
        call(ada, "PUT", alias, object("room_id", room));
        expect(text(call(null, "GET", alias, null), "room_id").equals(room), "the alias leads to another room");
        call(ada, "DELETE", alias, null);
        call(null, "GET", "/v3/publicRooms?limit=5", null);
        call(ada, "POST", "/v3/publicRooms", object("limit", 5, "filter", object("generic_search_term", "self-check")));
        var search = object("search_term", grace.user().substring(1, grace.user().indexOf(':')), "limit", 5);
        askUntil(() -> !list(call(ada, "POST", "/v3/user_directory/search", search), "results").isEmpty(),
                "the user directory does not know the other member after 30 s");
        return "aliases, public rooms and users";
    }

    private String encryption() throws IOException, InterruptedException {
        var device = text(call(ada, "GET", "/v3/account/whoami", null), "device_id");
        var since = text(call(ada, "GET", "/v3/sync", null), "next_batch");
        var key = object("key", "c2VsZi1jaGVjaw", "signatures", object());
        call(ada, "POST", "/v3/keys/upload", object("one_time_keys", object("signed_curve25519:AAAAAQ", key)));
        var wish = object("one_time_keys", object(ada.user(), object(device, "signed_curve25519")));
        var first = map(map(map(call(grace, "POST", "/v3/keys/claim", wish), "one_time_keys"), ada.user()), device);
        expect(first.containsKey("signed_curve25519:AAAAAQ"), "the key that was uploaded was not given to who claimed it");
        var second = map(map(map(call(grace, "POST", "/v3/keys/claim", wish), "one_time_keys"), ada.user()), device);
        expect(second.isEmpty(), "a one-time key was given twice");
        var message = object("messages", object(ada.user(), object(device, object("text", "self-check"))));
        call(grace, "PUT", "/v3/sendToDevice/rookery.self-check/1", message);
        boolean isTold = false;
        for (int i = 0; i < POLLS_MAX && !isTold; i++) { // one may be for other news
            var told = call(ada, "GET", "/v3/sync?timeout=" + POLL_MILLIS + "&since=" + encoded(since), null);
            isTold = list(map(told, "to_device"), "events").stream()
                    .anyMatch(event -> text(map(event, "content"), "text").equals("self-check"));
            since = text(told, "next_batch");
        }
        expect(isTold, "a message to a device was not told");
        return "one-time keys are given once, messages reach devices";
    }

    private String files() throws IOException, InterruptedException {
        var config = call(ada, "GET", "/v1/media/config", null);
        if (config.get("m.upload.size") instanceof Number most && most.longValue() == 0) {
            throw new OffException("no folder or bucket is set (rookery.room.media), so nobody can upload files");
        }
        var content = "self-check " + new SecureRandom().nextLong();
        var uri = text(call(ada, "POST", "/_api/media/v3/upload", object("text", content)), "content_uri");
        var downloaded = expect(send(grace, "GET", "/v1/media/download/" + uri.replace("mxc://", ""), null), 200);
        expect(Json.write(downloaded.body()).contains(content), "a file did not come back as it was uploaded");
        return "uploaded and downloaded";
    }

    private String filters() throws IOException, InterruptedException {
        var id = text(call(ada, "POST", "/v3/filter", object("room", object("timeline", object("limit", 1)))), "filter_id");
        call(ada, "GET", "/v3/sync?filter=" + encoded(id), null);
        return "saved and used";
    }

    private String pushRules() throws IOException, InterruptedException {
        expect(map(call(ada, "GET", "/v3/pushrules", null), "global").keySet().containsAll(Set.of("override", "underride")), "no rules");
        var rule = "/v3/pushrules/global/content/self-check";
        call(ada, "PUT", rule, object("pattern", "tea", "actions", List.of("notify")));
        call(ada, "PUT", rule + "/actions", object("actions", List.of("dont_notify")));
        expect("tea".equals(call(ada, "GET", rule, null).get("pattern")), "a rule is not as it was written");
        call(ada, "DELETE", rule, null);
        return "read, made, changed and deleted";
    }

    private String pushers() throws IOException, InterruptedException {
        var pusher = object("pushkey", "self-check", "kind", "http", "app_id", "rookery.self-check", "app_display_name", "Self-check",
                "device_display_name", "none", "lang", "en", "data", object("url", "https://push.invalid/_matrix/push/v1/notify"));
        var made = send(ada, "POST", "/v3/pushers", pusher);
        expect(made, 200, 400); // a server may refuse addresses that it cannot resolve
        call(ada, "GET", "/v3/pushers", null);
        expect(send(ada, "DELETE", "/v3/pushers/self-check?app_id=rookery.self-check", null), made.status() == 200 ? 200 : 404);
        return made.status() == 200 ? "made, listed and deleted" : "listed; this server refuses addresses that it cannot resolve";
    }

    private String addresses() throws IOException, InterruptedException {
        call(ada, "GET", "/v3/account/3pid", null);
        var unknown = object("client_secret", "self-check", "sid", "0");
        expect(send(ada, "POST", "/v3/account/3pid", unknown), 400, 403);
        expect(send(ada, "POST", "/v3/account/3pid/bind", unknown), 400, 403);
        call(ada, "POST", "/v3/account/3pid/unbind", object("medium", "email", "address", "nobody@example.invalid"));
        // No addresses, so that nobody is written to.
        var nobody = object("client_secret", "self-check", "send_attempt", 1, "email", "nobody", "country", "GB", "phone_number", "1");
        expect(send(null, "POST", "/v3/register/email/requestToken", nobody), 400, 403);
        expect(send(null, "POST", "/v3/register/msisdn/requestToken", nobody), 400, 403);
        return "listed, and refused without proof; whether mail arrives only a mailbox can tell";
    }

    private String administration(String name) throws IOException, InterruptedException {
        expect(send(ada, "GET", "/v3/admin/users?limit=1", null).status() == 403, "who is no administrator may ask as one");
        expect(send(null, "GET", "/v3/admin/users?limit=1", null).status() == 401, "nobody may ask as an administrator");
        var password = System.getenv("ROOKERY_ADMIN_PASSWORD");
        if (name == null || password == null) {
            throw new OffException("refused to others; give --admin NAME and ROOKERY_ADMIN_PASSWORD to check the rest");
        }
        var admin = new Person(name, name, password, text(call(null, "POST", "/v3/login",
                object("type", "m.login.password", "identifier", object("type", "m.id.user", "user", name), "password", password)),
                "access_token"));
        call(admin, "GET", "/v3/admin/users?limit=1", null);
        call(admin, "GET", "/v3/admin/rooms?limit=1", null);
        call(admin, "GET", "/v3/admin/whois/" + encoded(grace.user()), null);
        call(admin, "GET", "/v3/admin/rate-limits", null);
        expect(send(admin, "POST", "/v3/admin/rate-limits", object("max_requests", 0)), 400); // nothing is changed
        call(admin, "POST", "/v3/admin/users/" + encoded(grace.user()) + "/block", object());
        expect(send(grace, "GET", "/v3/account/whoami", null).status() == 401, "a blocked user may go on");
        call(admin, "POST", "/v3/admin/users/" + encoded(grace.user()) + "/unblock", object());
        if (room != null) {
            call(admin, "POST", "/v3/admin/rooms/" + encoded(room) + "/kick", object("user_id", grace.user()));
            call(admin, "POST", "/v3/admin/rooms/" + encoded(room) + "/ban", object("user_id", grace.user()));
            call(admin, "POST", "/v3/admin/rooms/" + encoded(room) + "/purge", object());
        }
        call(admin, "POST", "/v3/logout", object());
        return "users, rooms, whois, limits, block, kick, ban and purge";
    }

    private String statistics() throws IOException, InterruptedException {
        call(null, "GET", "/stats", null);
        var metrics = send(null, "GET", "/metrics", null);
        if (metrics.status() == 403 || metrics.status() == 404) {
            return "stats; metrics are not shown to this address";
        }
        expect(metrics, 200);
        return "stats and metrics";
    }

    private String farewell() throws IOException, InterruptedException {
        for (var person : List.of(ada, grace)) {
            var first = send(person, "POST", "/v3/account/deactivate", object());
            call(person, "POST", "/v3/account/deactivate", object("auth", object("type", "m.login.password", "session",
                    text(first.body(), "session"), "identifier", object("type", "m.id.user", "user", person.user()), "password",
                    person.password())));
            expect(send(person, "GET", "/v3/account/whoami", null).status() == 401, "a deactivated user may go on");
        }
        return "both users are deactivated";
    }
}
