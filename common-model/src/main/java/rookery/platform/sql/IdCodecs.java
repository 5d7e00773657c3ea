// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.netty.buffer.ByteBufAllocator;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.postgresql.codec.CodecRegistry;
import io.r2dbc.postgresql.codec.Codecs;
import io.r2dbc.postgresql.extension.CodecRegistrar;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.MediaId;
import rookery.model.id.RoomAlias;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.platform.sql.IdCodec.IdType;

/**
 * Lets statements bind and rows read the ids of {@code rookery.model.id}, single and in arrays, as text and integers
 * of PostgreSQL.
 *
 * <p>The driver finds this class by its ServiceLoader and registers the codecs on every new connection.
 */
public final class IdCodecs implements CodecRegistrar {
    private static final List<IdType<?, String>> TEXTS = List.of(
            new IdType<>(UserId.class, UserId::value, UserId::new),
            new IdType<>(RoomId.class, RoomId::value, RoomId::new),
            new IdType<>(EventId.class, EventId::value, EventId::new),
            new IdType<>(DeviceId.class, DeviceId::value, DeviceId::new),
            new IdType<>(MediaId.class, MediaId::value, MediaId::new),
            new IdType<>(RoomAlias.class, RoomAlias::value, RoomAlias::new),
            new IdType<>(TransactionId.class, TransactionId::value, TransactionId::new));

    private static final List<IdType<?, Integer>> INTEGERS =
            List.of(new IdType<>(TenantId.class, TenantId::value, TenantId::new));

    /** Registers four codecs for all types, because each registration rebuilds the driver's lookup caches. */
    @Override
    public Publisher<Void> register(
            PostgresqlConnection connection, ByteBufAllocator allocator, CodecRegistry registry) {
        return Mono.fromRunnable(() -> {
            var codecs = (Codecs) registry;
            registry.addFirst(new IdCodec<>(codecs, String.class, TEXTS));
            registry.addFirst(new IdCodec<>(codecs, String[].class, IdCodec.arrays(TEXTS, String.class)));
            registry.addFirst(new IdCodec<>(codecs, Integer.class, INTEGERS));
            registry.addFirst(new IdCodec<>(codecs, Integer[].class, IdCodec.arrays(INTEGERS, Integer.class)));
        });
    }
}
