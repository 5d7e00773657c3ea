/** What travels on the topics, and what whoever reads them must do. */
@NullMarked
package rookery.model.topic;

import org.jspecify.annotations.NullMarked;
