/** Renders the chart and checks its manifests, without a cluster. */
@NullMarked
package rookery.helm;

import org.jspecify.annotations.NullMarked;
