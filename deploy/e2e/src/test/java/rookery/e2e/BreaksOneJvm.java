// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Marks a class that disturbs and repairs the Rookery in one JVM: no other class uses that Rookery at the same time. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneJvmExtension.class)
@ResourceLock(OneJvmExtension.NAME)
@Order(4)
@interface BreaksOneJvm {
    /** The disturbance that would fail other test classes. */
    String value();
}
