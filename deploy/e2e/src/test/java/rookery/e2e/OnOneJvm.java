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
 * Asks only what clients ask. A JVM for each service costs most of the time in such a class, so all of them are in one here; they
 * call each other over HTTP as they do anywhere.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneJvmExtension.class)
@ResourceLock(value = OneJvmExtension.NAME, mode = ResourceAccessMode.READ)
@Order(3)
@interface OnOneJvm {}
