/**
 * The core of sync answers. A {@link rookery.sync.answer.Look} fixes the range between the client's token and this node's
 * positions, streams add content to an {@link rookery.sync.answer.Answer}, and a writer renders JSON.
 */
@NullMarked
package rookery.sync.answer;

import org.jspecify.annotations.NullMarked;
