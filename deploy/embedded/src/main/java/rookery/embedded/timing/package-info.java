/** The times of all test classes, which the build writes to {@code target/test-times.txt}. */
@NullMarked
package rookery.embedded.timing;

import org.jspecify.annotations.NullMarked;
