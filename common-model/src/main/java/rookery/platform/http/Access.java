package rookery.platform.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Who may call a handler; a handler that does not say requires a user, or an administrator where its path is one of administration. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Access {
    Level value();

    /** What a route asks of its caller. */
    enum Level {
        /** anybody; a token that was sent is not looked at */
        NONE,
        /** anybody; a token that was sent must be good */
        OPTIONAL,
        /** a user; who is locked out is told so */
        REQUIRED,
        /** a user, and a locked one too: logging out is always possible */
        LOCKED_TOO,
        /** an administrator of the tenant; anybody else learns nothing but that */
        ADMIN
    }
}
