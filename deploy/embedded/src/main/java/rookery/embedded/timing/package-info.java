/** Where the time of a test run goes: a table of all test classes, which the build leaves in {@code target/test-times.txt}. */
@NullMarked
package rookery.embedded.timing;

import org.jspecify.annotations.NullMarked;
