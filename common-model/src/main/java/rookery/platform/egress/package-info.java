/** Requests to servers that users name: the checks of hosts, and the client. */
@NullMarked
package rookery.platform.egress;

import org.jspecify.annotations.NullMarked;
