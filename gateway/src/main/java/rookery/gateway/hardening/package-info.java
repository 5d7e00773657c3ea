/** What connections of the public port are held to, before there is a request. */
@NullMarked
package rookery.gateway.hardening;

import org.jspecify.annotations.NullMarked;
