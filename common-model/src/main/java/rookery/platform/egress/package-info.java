/** Requests to servers that users name: which hosts may be asked, and the client that asks them. */
@NullMarked
package rookery.platform.egress;

import org.jspecify.annotations.NullMarked;
