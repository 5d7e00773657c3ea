// SPDX-License-Identifier: Apache-2.0
package rookery.platform.sql;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties;

/** A separate pool for appends to a log, so that messages are stored even while readers use up the other connections. */
public final class LogPool implements DisposableBean {
    private final int size;
    private final R2dbcProperties.Pool common;

    private @Nullable ConnectionPool pool;

    public LogPool(SilentConnections.Properties properties, R2dbcProperties common) {
        this.size = properties.logPoolSize();
        this.common = common.getPool();
    }

    /** Creates the pool beside the service's own pool; returns the service's own pool if the service has no log. */
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
