// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;

/** Makes new users with unused names, and rooms for them. */
final class People {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private People() {}

    static String name(String like) {
        return "%s-%d".formatted(like, NUMBER.incrementAndGet());
    }

    static Session newcomer(Http http, String like) throws IOException {
        return Session.register(http, name(like));
    }

    /** A room that both are in. */
    static String roomOf(Session host, Session guest) throws IOException {
        var room = host.createRoom(Map.of("preset", "private_chat", "name", "Tea"));
        host.invite(room, guest.userId());
        guest.join(room);
        return room;
    }
}
