/** What renders the chart and judges manifests, without a cluster. */
@NullMarked
package rookery.helm;

import org.jspecify.annotations.NullMarked;
