/** What a service does with its configuration before it starts: unknown keys are refused, and {@code --check} looks at all of it. */
@NullMarked
package rookery.platform.settings;

import org.jspecify.annotations.NullMarked;
