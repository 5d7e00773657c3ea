// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.gateway.redis.Batch;
import rookery.gateway.redis.LuaScript;
import rookery.gateway.redis.RedisLink;
import rookery.model.caller.Caller.Known;
import rookery.model.id.DeviceId;
import rookery.model.id.UserId;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The recently used sessions, in Redis for all gateways.
 *
 * <p>The keys are agreed with auth-service, which ends sessions: {@code tok:<tenant>:<hash>} contains a session for at most
 * {@link #LIFE}; {@code gone:<tenant>:<hash>} is a tombstone. The hash is the SHA-256 of the token in lowercase hex. To end a
 * session, auth-service commits, sets the tombstone for at least {@link #LIFE}, deletes the session's key, and then answers; if
 * Redis is unavailable, auth-service waits for {@link #LIFE} before answering. {@code tok:begun} is the time when Redis last lost
 * its data, tombstones included: answers to questions sent before that time are not stored.
 */
@Component
public class SessionCache {
    static final Duration LIFE = Duration.ofSeconds(10);

    /** The time from which Redis has all tombstones. */
    private static final String BEGUN = "tok:begun";

    private static final LuaScript KEEP = LuaScript.beside(SessionCache.class, "keep.lua");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RedisLink redis;

    SessionCache(RedisLink redis) {
        this.redis = redis;
    }

    /** The command that reads a session; {@link #read} reads the answer. */
    public static AsyncCommand<String, String, String> get(TokenHash token) {
        return new AsyncCommand<>(new Command<>(
                CommandType.GET,
                new ValueOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).addKey(key(token))));
    }

    /** The TIME command of Redis; {@link #millis} reads the answer. */
    public static AsyncCommand<String, String, List<String>> time() {
        return new AsyncCommand<>(new Command<>(
                CommandType.TIME, new ValueListOutput<>(StringCodec.UTF8), new CommandArgs<>(StringCodec.UTF8)));
    }

    public static long millis(List<String> time) {
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    /** A stored session, or null if absent or unreadable. */
    public static @Nullable Known read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            var session = JSON.readValue(text, Session.class);
            return new Known(session.user, session.device, session.admin, session.suspended);
        } catch (JacksonException e) {
            return null;
        }
    }

    /** Stores the session in the background; failures are ignored. */
    void keep(TokenHash token, Known session, long askedAt) {
        String text = JSON.writeValueAsString(
                new Session(session.user(), session.device(), session.admin(), session.suspended()));
        var keys = List.of(key(token), "gone:" + token.tenant().value() + ":" + token.hex(), BEGUN);
        var _ = redis.ask(
                () -> new Batch<>(
                        List.of(KEEP.call(keys, text, Long.toString(askedAt), Long.toString(LIFE.toMillis()))),
                        () -> true),
                List.of(KEEP));
    }

    public static String key(TokenHash token) {
        return "tok:" + token.tenant().value() + ":" + token.hex();
    }

    record Session(UserId user, DeviceId device, boolean admin, boolean suspended) {}
}
