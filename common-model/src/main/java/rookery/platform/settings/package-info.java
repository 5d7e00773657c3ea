/** Checks of the configuration before a start: unknown keys are refused, and {@code --check} reports all problems. */
@NullMarked
package rookery.platform.settings;

import org.jspecify.annotations.NullMarked;
