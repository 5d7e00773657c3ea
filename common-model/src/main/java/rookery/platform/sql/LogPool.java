package rookery.platform.sql;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;

/** Connections for those who append to a log: a storm of readers may use up the other ones, and messages are stored nevertheless. */
public final class LogPool implements DisposableBean {
    private final int size;
    private final R2dbcProperties.Pool common;

    private @Nullable ConnectionPool pool;

    public LogPool(SilentConnections.Properties properties, R2dbcProperties common) {
        this.size = properties.logPoolSize();
        this.common = common.getPool();
    }

    /** A pool over the same connections as the service's own; that one itself, where the service has no log. */
    public ConnectionPool beside(ConnectionPool own) {
        if (size == 0) {
            return own;
        }
        var builder = ConnectionPoolConfiguration.builder(Objects.requireNonNull(own.unwrap()))
                .initialSize(1)
                .maxSize(size)
                .acquireRetry(common.getAcquireRetry());
        var map = PropertyMapper.get();
        map.from(common.getMaxIdleTime()).to(builder::maxIdleTime);
        map.from(common.getMaxAcquireTime()).to(builder::maxAcquireTime);
        map.from(common.getMaxCreateConnectionTime()).to(builder::maxCreateConnectionTime);
        pool = new ConnectionPool(builder.build());
        return pool;
    }

    @Override
    public void destroy() {
        if (pool != null) {
            pool.dispose();
        }
    }
}
