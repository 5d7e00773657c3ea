/** Many clients that talk and write down what they hear, while processes may be killed. */
@NullMarked
package rookery.e2e.load;

import org.jspecify.annotations.NullMarked;
