// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Breaks something on the cluster, and mends it: no other class uses the cluster meanwhile. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
@ResourceLock(ClusterExtension.NAME)
@Order(2)
@interface BreaksCluster {
    /** The disturbance that would fail other test classes. */
    String value();
}
