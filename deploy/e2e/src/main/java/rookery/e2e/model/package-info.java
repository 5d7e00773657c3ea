/**
 * A model of what sync must answer, held against random conversations: the seed tells what each client does, the log tells in
 * which order it happened, and the model says from that alone what every answer had to be.
 */
@NullMarked
package rookery.e2e.model;

import org.jspecify.annotations.NullMarked;
