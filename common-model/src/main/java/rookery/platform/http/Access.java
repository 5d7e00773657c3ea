// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The access level of a handler. Without this annotation a handler requires a user, or an administrator if its path is an
 * administration path.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Access {
    Level value();

    /** The access levels. */
    enum Level {
        /** Everybody; a token is ignored. */
        NONE,
        /** Everybody; a token must be valid if present. */
        OPTIONAL,
        /** A user; a locked user gets M_USER_LOCKED. */
        REQUIRED,
        /** A user, also a locked one: logging out is always possible. */
        LOCKED_TOO,
        /** An administrator of the tenant; other users get M_FORBIDDEN and no further information. */
        ADMIN
    }
}
