/** Cryptographic primitives of the JDK whose initialisation is done once and reused. */
@NullMarked
package rookery.model.crypto;

import org.jspecify.annotations.NullMarked;
