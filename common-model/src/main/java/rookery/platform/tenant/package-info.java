/** The tenants of the installation. */
@NullMarked
package rookery.platform.tenant;

import org.jspecify.annotations.NullMarked;
