// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The services that may call a handler under {@code /internal/}; without this annotation no service may. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Callers {
    ServiceName[] value();
}
