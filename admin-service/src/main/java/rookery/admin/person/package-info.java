/** One person's data as a ZIP for a person who reads (contract.md 5.6). */
@NullMarked
package rookery.admin.person;

import org.jspecify.annotations.NullMarked;
