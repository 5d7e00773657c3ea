// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.sync.sliding.ConnectionState.SentRoom;
import rookery.sync.sliding.StateRequest.StatePattern;

/** The bytes of a connection's state in the table, compressed: the ids of rooms end in the same server name. */
final class ConnectionBytes {
    private static final int VERSION = 1;
    /** The limit for one state: 50,000 rooms with usual configs. */
    private static final int BYTES_MAX = 4 << 20;

    private ConnectionBytes() {}

    static byte[] write(ConnectionState state) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            out.writeByte(VERSION);
            var configs = new HashMap<RoomConfig, Integer>();
            var ordered = new ArrayList<RoomConfig>();
            state.rooms()
                    .values()
                    .forEach(sent -> configs.computeIfAbsent(sent.config(), config -> {
                        ordered.add(config);
                        return ordered.size() - 1;
                    }));
            out.writeInt(ordered.size());
            for (var config : ordered) {
                write(config, out);
            }
            out.writeInt(state.rooms().size());
            for (var room : state.rooms().entrySet()) {
                out.writeUTF(room.getKey().value());
                out.writeInt(Objects.requireNonNull(configs.get(room.getValue().config())));
                out.writeLong(room.getValue().upTo());
            }
            if (out.size() > BYTES_MAX) {
                throw new ApiException(
                        ErrorCode.M_UNKNOWN_POS, "the connection has too many rooms or configs, begin anew");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never thrown by memory
        }
        return bytes.toByteArray();
    }

    private static void write(RoomConfig config, DataOutputStream out) throws IOException {
        out.writeInt(config.timelineLimit());
        out.writeInt(config.states().size());
        for (var state : config.states()) {
            out.writeBoolean(state.lazyMembers());
            write(state.include(), out);
            write(state.exclude(), out);
        }
    }

    private static void write(Set<StatePattern> patterns, DataOutputStream out) throws IOException {
        out.writeInt(patterns.size());
        for (var pattern : patterns) {
            write(pattern.type(), out);
            write(pattern.stateKey(), out);
        }
    }

    private static void write(@Nullable String text, DataOutputStream out) throws IOException {
        out.writeBoolean(text != null);
        if (text != null) {
            out.writeUTF(text);
        }
    }

    /** Null for bytes of another version: the client begins anew. */
    static @Nullable ConnectionState read(byte[] bytes) {
        try (var in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
            if (in.readByte() != VERSION) {
                return null;
            }
            int number = in.readInt();
            var live = new ArrayList<SentRoom>(); // shared by the rooms
            for (int i = 0; i < number; i++) {
                live.add(new SentRoom(config(in), SentRoom.LIVE));
            }
            return new ConnectionState(rooms(in, live));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<RoomId, SentRoom> rooms(DataInputStream in, List<SentRoom> live) throws IOException {
        int number = in.readInt();
        var rooms = HashMap.<RoomId, SentRoom>newHashMap(number);
        for (int i = 0; i < number; i++) {
            var room = new RoomId(in.readUTF());
            var sent = live.get(in.readInt());
            long upTo = in.readLong();
            rooms.put(room, upTo == SentRoom.LIVE ? sent : new SentRoom(sent.config(), upTo));
        }
        return rooms;
    }

    private static RoomConfig config(DataInputStream in) throws IOException {
        int limit = in.readInt();
        int number = in.readInt();
        var states = new HashSet<StateRequest>();
        for (int i = 0; i < number; i++) {
            boolean isLazy = in.readBoolean();
            states.add(new StateRequest(patterns(in), patterns(in), isLazy));
        }
        return new RoomConfig(limit, Set.copyOf(states));
    }

    private static Set<StatePattern> patterns(DataInputStream in) throws IOException {
        int number = in.readInt();
        var patterns = new HashSet<StatePattern>();
        for (int i = 0; i < number; i++) {
            patterns.add(new StatePattern(text(in), text(in)));
        }
        return Set.copyOf(patterns);
    }

    private static @Nullable String text(DataInputStream in) throws IOException {
        return in.readBoolean() ? in.readUTF() : null;
    }
}
