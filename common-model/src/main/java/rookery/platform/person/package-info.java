/** The data of one person in the tables of a service (contract.md 5.6). */
@NullMarked
package rookery.platform.person;

import org.jspecify.annotations.NullMarked;
