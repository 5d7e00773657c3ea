/** User profiles: display name, avatar and custom fields (contract.md 13.3). */
@NullMarked
package rookery.auth.profile;

import org.jspecify.annotations.NullMarked;
