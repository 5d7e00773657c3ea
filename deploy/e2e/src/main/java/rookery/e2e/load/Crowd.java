// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;

/** Users of several tenants; each user is a member of all rooms of the tenant. */
public record Crowd(List<TenantUsers> circles) implements AutoCloseable {
    /** The users of a tenant and their rooms. */
    public record TenantUsers(Http http, List<Session> people, List<String> rooms) {}

    /** The number of users and rooms of a tenant. */
    public record TenantSize(TenantAddress site, int people, int rooms) {}

    /** The server hashes passwords slowly and refuses registrations when too many wait. */
    private static final int REGISTRATIONS_AT_ONCE = 3;

    public Crowd {
        circles = List.copyOf(circles);
    }

    /** Registers the users under names with a common prefix, creates the rooms and joins all users. */
    public static Crowd gather(String name, List<TenantSize> sizes) throws IOException {
        var circles = new ArrayList<TenantUsers>();
        for (var size : sizes) {
            circles.add(gather(name, size));
        }
        return new Crowd(circles);
    }

    private static TenantUsers gather(String name, TenantSize size) throws IOException {
        var http = Http.to(size.site());
        var registrations = new ArrayList<Callable<Session>>();
        for (int i = 1; i <= size.people(); i++) {
            var localpart = name + "-" + i;
            registrations.add(() -> Session.registerPatiently(http, localpart, () -> {}));
        }
        var people = all(registrations);
        var rooms = new ArrayList<String>();
        for (int i = 1; i <= size.rooms(); i++) {
            var host = people.get(i % people.size());
            rooms.add(host.createRoom(Map.of("preset", "public_chat", "name", name + " " + i)));
        }
        var joins = new ArrayList<Callable<Session>>();
        for (var person : people) {
            joins.add(() -> joined(person, rooms));
        }
        all(joins);
        return new TenantUsers(http, people, rooms);
    }

    private static Session joined(Session person, List<String> rooms) throws IOException {
        for (var room : rooms) {
            person.join(room);
        }
        return person;
    }

    private static List<Session> all(List<Callable<Session>> tasks) throws IOException {
        try (var threads = Executors.newFixedThreadPool(REGISTRATIONS_AT_ONCE)) {
            var results = new ArrayList<Session>();
            for (Future<Session> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IOException("the crowd could not gather", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        circles.forEach(circle -> circle.http().close());
    }
}
