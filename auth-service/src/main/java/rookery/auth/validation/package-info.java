/** Validation of email addresses and phone numbers (contract.md 7). */
@NullMarked
package rookery.auth.validation;

import org.jspecify.annotations.NullMarked;
