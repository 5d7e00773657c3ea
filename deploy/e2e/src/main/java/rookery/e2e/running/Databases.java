// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import rookery.embedded.Database;

/** The databases of the services, of a Rookery started by the tests or elsewhere. */
@FunctionalInterface
public interface Databases {
    /** The database access of a service, such as {@code room-service}. */
    Database database(String service);
}
