/** What operators look at: the alerts and dashboards beside this module. */
@NullMarked
package rookery.e2e.monitoring;

import org.jspecify.annotations.NullMarked;
