// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.json.JsonMapper;

/** A fake of directory-service: reserves and resolves aliases. */
final class ScriptedAliases {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Map<String, String> rooms = new ConcurrentHashMap<>();

    void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("GET")) {
            String room = rooms.get(path.substring("/internal/aliases/".length()));
            RoomServer.send(
                    exchange,
                    room == null ? 404 : 200,
                    room == null ? error("M_NOT_FOUND") : "{\"room_id\":\"" + room + "\"}");
            return;
        }
        var request = JSON.readTree(exchange.getRequestBody());
        String alias = request.get("alias").stringValue();
        String room = request.get("room_id").stringValue();
        if (path.endsWith("/release")) {
            rooms.remove(alias, room);
            RoomServer.send(exchange, 200, "{}");
        } else {
            boolean taken = rooms.putIfAbsent(alias, room) != null;
            RoomServer.send(exchange, taken ? 400 : 200, taken ? error("M_ROOM_IN_USE") : "{}");
        }
    }

    private static String error(String code) {
        return "{\"errcode\":\"" + code + "\",\"error\":\"scripted\"}";
    }
}
