// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.redis;

import io.lettuce.core.codec.Base16;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A Lua script, called by its digest; {@link RedisLink} loads the script after NOSCRIPT. */
public final class LuaScript {
    final String text;
    private final String digest;

    private LuaScript(String text) {
        this.text = text;
        this.digest = Base16.digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The script in the class's package, such as {@code window.lua}. */
    public static LuaScript beside(Class<?> type, String name) {
        try (var in = type.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the script " + name + " is missing beside " + type.getName());
            }
            return new LuaScript(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An EVALSHA command; its result is the array that the script returns. */
    public AsyncCommand<String, String, List<Object>> call(List<String> keys, String... arguments) {
        var args =
                new CommandArgs<>(StringCodec.UTF8).add(digest).add(keys.size()).addKeys(keys);
        for (String argument : arguments) {
            args.addValue(argument);
        }
        return new AsyncCommand<>(new Command<>(CommandType.EVALSHA, new ArrayOutput<>(StringCodec.UTF8), args));
    }
}
