package rookery.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Breaks something of what runs in one JVM or beside it, and mends it: no other class uses it meanwhile. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneJvmExtension.class)
@ResourceLock(OneJvmExtension.NAME)
@Order(4)
@interface BreaksOneJvm {
    /** What it does that others could not bear. */
    String value();
}
