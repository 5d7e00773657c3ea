package rookery.sync.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A class of tests that uses {@link World#shared}. Such classes run one after the other, because they count what the node and the
 * services were asked; classes with worlds of their own run beside them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock("rookery.sync.testing.World")
public @interface SharesWorld {}
