/** Push rules: what they are, and which of them everybody has (CONTRACT.md 12); knows no framework. */
@NullMarked
package rookery.push.rule;

import org.jspecify.annotations.NullMarked;
