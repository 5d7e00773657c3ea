/**
 * What a client is answered: a {@link rookery.sync.answer.Look} at what lies between the client's token and where the node stands,
 * streams that each add their own to an {@link rookery.sync.answer.Answer}, and the answer as JSON.
 */
@NullMarked
package rookery.sync.answer;

import org.jspecify.annotations.NullMarked;
