/** Long runs: every member must receive every event once and in one order during kills. */
@NullMarked
package rookery.e2e.lossless;

import org.jspecify.annotations.NullMarked;
