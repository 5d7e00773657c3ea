/**
 * Compares the sync responses of random conversations with a model: the seed determines the clients' actions, the log their
 * order, and the model derives every expected response from the log alone.
 */
@NullMarked
package rookery.e2e.model;

import org.jspecify.annotations.NullMarked;
