/** User-interactive authentication: the stages that a request must pass before it is carried out. */
@NullMarked
package rookery.auth.interactive;

import org.jspecify.annotations.NullMarked;
