/** Limits of connections on the public port, before a request exists. */
@NullMarked
package rookery.gateway.hardening;

import org.jspecify.annotations.NullMarked;
