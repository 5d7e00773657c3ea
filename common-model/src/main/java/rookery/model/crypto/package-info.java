/** What the JDK's cryptography costs a second time is set up once. */
@NullMarked
package rookery.model.crypto;

import org.jspecify.annotations.NullMarked;
