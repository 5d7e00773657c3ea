/** Unread counts in a sync answer (contract.md 11.4), with the corrections of counts that were provisional. */
@NullMarked
package rookery.sync.answer.counts;

import org.jspecify.annotations.NullMarked;
