/** Push gateways: which addresses may be one, and how they are asked (contract.md 12.7). */
@NullMarked
package rookery.push.gateway;

import org.jspecify.annotations.NullMarked;
