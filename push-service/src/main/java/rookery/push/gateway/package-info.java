/** Push gateways: permitted URLs, and the requests to gateways (contract.md 12.7). */
@NullMarked
package rookery.push.gateway;

import org.jspecify.annotations.NullMarked;
