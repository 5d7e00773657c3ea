/** The audit records of administrators' actions. */
@NullMarked
package rookery.admin.audit;

import org.jspecify.annotations.NullMarked;
