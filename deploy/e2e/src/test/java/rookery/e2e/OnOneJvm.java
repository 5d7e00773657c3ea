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
 * Marks a class that uses the client API only. Starting a JVM for each service takes most of such a class's time, so all services
 * run in one JVM; calls between services use HTTP as elsewhere.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneJvmExtension.class)
@ResourceLock(value = OneJvmExtension.NAME, mode = ResourceAccessMode.READ)
@Order(3)
@interface OnOneJvm {}
