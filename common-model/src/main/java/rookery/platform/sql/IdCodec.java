// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.netty.buffer.ByteBuf;
import io.r2dbc.postgresql.client.EncodedParameter;
import io.r2dbc.postgresql.codec.Codec;
import io.r2dbc.postgresql.codec.Codecs;
import io.r2dbc.postgresql.codec.PostgresqlObjectId;
import io.r2dbc.postgresql.message.Format;
import io.r2dbc.spi.Parameters;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;

/**
 * Encodes and decodes ids exactly as the driver encodes their plain values, so the types of parameters and the plans stay
 * the same.
 *
 * @param <V> the plain value: text, an integer, or an array of these
 */
final class IdCodec<V> implements Codec<Object> {
    private final Codecs codecs;
    private final Class<V> plain;
    private final Map<Class<?>, IdType<?, V>> types;

    /** One id class, and its conversion to and from a plain value. */
    record IdType<I, V>(Class<I> type, Function<I, V> value, Function<V, I> id) {
        V valueOf(Object any) {
            return value.apply(type.cast(any));
        }
    }

    IdCodec(Codecs codecs, Class<V> plain, List<? extends IdType<?, V>> types) {
        this.codecs = codecs;
        this.plain = plain;
        this.types = types.stream().collect(Collectors.toMap(IdType::type, Function.identity()));
    }

    /** The array types of ids; null elements stay null. */
    static <V> List<IdType<?, V[]>> arrays(List<? extends IdType<?, V>> types, Class<V> plain) {
        return types.stream().<IdType<?, V[]>>map(type -> array(type, plain)).toList();
    }

    @SuppressWarnings("unchecked") // arrayType() has no type argument
    private static <I, V> IdType<I[], V[]> array(IdType<I, V> single, Class<V> plain) {
        return new IdType<>(
                (Class<I[]>) single.type.arrayType(),
                ids -> each(ids, plain, single.value),
                values -> each(values, single.type, single.id));
    }

    @SuppressWarnings("unchecked") // as above
    private static <F, T> T[] each(F[] elements, Class<T> type, Function<F, T> conversion) {
        var converted = (T[]) Array.newInstance(type, elements.length);
        for (int i = 0; i < elements.length; i++) {
            if (elements[i] != null) {
                converted[i] = conversion.apply(elements[i]);
            }
        }
        return converted;
    }

    @Override
    public boolean canDecode(int dataType, Format format, Class<?> type) {
        return types.containsKey(type);
    }

    @Override
    public boolean canEncode(Object value) {
        return types.containsKey(value.getClass());
    }

    @Override
    public boolean canEncodeNull(Class<?> type) {
        return types.containsKey(type);
    }

    /**
     * Decodes an id. An IllegalStateException for an invalid value, because such a column is a fault of the server
     * (contract.md 2.4).
     */
    @Override
    public @Nullable Object decode(
            @Nullable ByteBuf buffer, int dataType, Format format, Class<? extends Object> type) {
        V value = codecs.decode(buffer, dataType, format, plain);
        if (value == null) {
            return null;
        }
        try {
            return Objects.requireNonNull(types.get(type)).id.apply(value);
        } catch (ApiException e) {
            // without the cause: an ApiException would become the client's error
            throw new IllegalStateException("a column holds no " + type.getSimpleName() + ": " + e.reason);
        }
    }

    @Override
    public EncodedParameter encode(Object id) {
        return codecs.encode(valueOf(id));
    }

    @Override
    public EncodedParameter encode(Object id, int dataType) {
        return codecs.encode(Parameters.in(PostgresqlObjectId.valueOf(dataType), valueOf(id)));
    }

    @Override
    public EncodedParameter encodeNull() {
        return codecs.encodeNull(plain);
    }

    private V valueOf(Object id) {
        return Objects.requireNonNull(types.get(id.getClass())).valueOf(id);
    }
}
