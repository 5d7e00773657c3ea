/** Records of the topics, and the duties of their consumers. */
@NullMarked
package rookery.model.topic;

import org.jspecify.annotations.NullMarked;
