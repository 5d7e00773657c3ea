// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.api.UnexpectedAnswerException;

/** The traffic of people, as {@link LifeOptions#HELP} describes. Messages are due at fixed times, independent of responses. */
final class Life implements WebUser.Workload, AutoCloseable {
    private static final int CLIENTS = 32;
    private static final int TYPED = 3;
    private static final int INITIAL_SYNCS = 3;
    private static final double RECONNECTING_PER_MINUTE = 0.05;
    private static final long TYPING_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration DRAIN = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final TenantAddress site;
    private final LifeRooms plan;
    private final List<WebUser> connected = new ArrayList<>();
    private final List<Room> rooms = new ArrayList<>();
    private final Queue<Http> connections = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final RandomGenerator random = new SecureRandom();
    private final AtomicLong numbers = new AtomicLong(random.nextLong(1L << 50));
    private final Map<Long, Message> messages = new ConcurrentHashMap<>();
    private final Receipts receipts = new Receipts(threads, this::sendReceipt);
    private volatile LifePhase current = new LifePhase();
    private volatile boolean stopped;

    /** A room with its connected members. */
    record Room(String id, List<WebUser> connected) {}

    private record Message(long number, Room room, WebUser sender, long dueNanos, LifePhase phase) {}

    private Life(TenantAddress site, LifeRooms plan) {
        this.site = site;
        this.plan = plan;
    }

    /** Creates accounts and rooms, and starts the long polls. */
    static Life begin(LifeOptions options) throws IOException {
        var site = TenantAddress.at(options.url, options.prefix);
        var life = new Life(site, new LifeRooms(options.members, options.connected, options.rooms));
        var http = life.newConnection();
        var first = Session.register(http, "bench-" + Long.toHexString(new SecureRandom().nextLong()));
        var accounts = new FilledAccounts(options.data).fill(http, first, options.members);
        life.makeRooms(accounts, options.connected);
        life.threads.execute(life::reconnect);
        return life;
    }

    private void makeRooms(List<Session> accounts, int connectedUsers) throws IOException {
        var members = plan.all();
        var ids = new String[members.size()];
        Parallel.run(CLIENTS, 0, members.size(), i -> {
            var creator = accounts.get(members.get(i).getFirst());
            ids[i] = creator.createRoom(Map.of("preset", "public_chat", "name", "life"));
        });
        record Join(int account, String room) {}
        var joins = new ArrayList<Join>();
        for (int i = 0; i < ids.length; i++) {
            for (int account : members.get(i).subList(1, members.get(i).size())) {
                joins.add(new Join(account, ids[i]));
            }
        }
        Parallel.run(
                CLIENTS,
                0,
                joins.size(),
                i -> accounts.get(joins.get(i).account()).join(joins.get(i).room()));
        var users = new WebUser[connectedUsers];
        Parallel.run(CLIENTS, 0, connectedUsers, i -> users[i] = new WebUser(this, accounts.get(i)));
        connected.addAll(List.of(users));
        for (int i = 0; i < ids.length; i++) {
            rooms.add(new Room(
                    ids[i],
                    members.get(i).stream()
                            .filter(account -> account < connectedUsers)
                            .map(connected::get)
                            .toList()));
        }
        connected.forEach(user -> threads.execute(user::poll));
    }

    /** Starts a phase: messages at a steady rate. Returns when the last message has been sent, possibly unanswered. */
    LifePhase send(double perSecond, Duration length) {
        var phase = new LifePhase();
        current = phase;
        long begunNanos = System.nanoTime();
        int count = (int) (perSecond * length.toMillis() / 1000);
        for (int i = 0; i < count; i++) {
            var room = rooms.get(plan.next(random));
            var sender = room.connected().get(random.nextInt(room.connected().size()));
            long dueNanos = begunNanos + TYPING_NANOS + (long) (i * 1e9 / perSecond);
            var message = new Message(numbers.incrementAndGet(), room, sender, dueNanos, phase);
            messages.put(message.number(), message);
            boolean typed = i % TYPED == 0;
            await(dueNanos - TYPING_NANOS);
            threads.execute(() -> sendWhenDue(message, typed));
        }
        return phase;
    }

    /** Waits until every send is answered and every message has reached the connected members, at most 20 s. */
    void drain(LifePhase phase, int due) {
        long deadlineNanos = System.nanoTime() + DRAIN.toNanos();
        while (System.nanoTime() - deadlineNanos < 0 && (phase.sent() + phase.failed() < due || phase.lost() > 0)) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void sendWhenDue(Message message, boolean typed) {
        if (typed) {
            threads.execute(() -> type(message, true));
        }
        await(message.dueNanos());
        if (typed) {
            threads.execute(() -> type(message, false));
        }
        say(message);
    }

    private void await(long dueNanos) {
        for (long nanos = dueNanos - System.nanoTime(); nanos > 0 && !stopped; nanos = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(nanos);
        }
    }

    private void say(Message message) {
        try {
            var content = Map.of("msgtype", "m.text", "body", "message " + message.number(), "bench", message.number());
            message.sender()
                    .session()
                    .send(message.room().id(), "life-" + message.number(), content)
                    .ok();
            message.phase().acknowledged.add(System.nanoTime() - message.dueNanos());
            message.phase().acknowledgedMessages.put(message.number(), message.room());
        } catch (IOException | UnexpectedAnswerException e) {
            message.phase().refused.add(System.nanoTime() - message.dueNanos());
            message.phase().failures.offer(e.toString());
        }
    }

    private void type(Message message, boolean typing) {
        var session = message.sender().session();
        Map<String, Object> body = typing ? Map.of("typing", true, "timeout", 20_000) : Map.of("typing", false);
        notice("PUT", session, Paths.room(message.room().id(), "/typing/" + Paths.encoded(session.userId())), body);
        message.phase().typings.incrementAndGet();
    }

    private void sendReceipt(WebUser reader, String room, String eventId) {
        current.receipts.incrementAndGet();
        notice(
                "POST",
                reader.session(),
                Paths.room(room, "/receipt/m.read/" + Paths.encoded(eventId)),
                Map.of("thread_id", "main"));
    }

    private void notice(String method, Session session, String path, Map<String, ?> body) {
        try {
            session.call(method, path, body).ok();
        } catch (IOException | UnexpectedAnswerException e) {
            if (!stopped) {
                current.failedNotices.incrementAndGet();
                current.failures.offer(e.toString());
            }
        }
    }

    private void reconnect() {
        double everyNanos = Duration.ofMinutes(1).toNanos() / (RECONNECTING_PER_MINUTE * connected.size());
        long begunNanos = System.nanoTime();
        for (int i = 0; !stopped; i++) {
            await(begunNanos + (long) ((i + 1) * everyNanos));
            current.reconnects.incrementAndGet();
            connected.get(i % connected.size()).reconnect(i % INITIAL_SYNCS == 0);
        }
    }

    @Override
    public void answered(WebUser reader, List<WebUser.Arrival> arrivals, boolean repeating) {
        current.answers.incrementAndGet();
        for (var arrival : arrivals) {
            var message = messages.get(WebUser.number(arrival.event()));
            if (message == null) {
                continue;
            }
            if (reader.see(message.number())) {
                message.phase().delivered.add(arrival.nanos() - message.dueNanos());
                if (message.sender() != reader) {
                    receipts.read(
                            reader,
                            arrival.room(),
                            arrival.event().path("event_id").asString());
                }
            } else if (!repeating) {
                message.phase().doubled.incrementAndGet();
            }
        }
    }

    @Override
    public void initialSync(long durationNanos) {
        current.initialSyncs.add(durationNanos);
    }

    @Override
    public void pollFailed(Exception failure) {
        if (!stopped) {
            current.failedPolls.incrementAndGet();
            current.failures.offer(failure.toString());
        }
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    /** Clients are closed with this object, because sends may still be under way in an older one. */
    @Override
    public Http newConnection() {
        var http = Http.to(site);
        connections.add(http);
        return http;
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
        connections.forEach(Http::close);
    }
}
