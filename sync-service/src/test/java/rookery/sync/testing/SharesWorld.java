// SPDX-License-Identifier: Apache-2.0
package rookery.sync.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class that uses {@link World#shared}. Such classes run one after another, because they count calls; classes with a world
 * of their own run concurrently.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock("rookery.sync.testing.World")
public @interface SharesWorld {}
