// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Asks several instances of a service by themselves, on the cluster, and breaks nothing there: several such classes at a time.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
@ResourceLock(value = ClusterExtension.NAME, mode = ResourceAccessMode.READ)
@Order(1)
@interface OnCluster {}
