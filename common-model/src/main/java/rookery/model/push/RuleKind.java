// SPDX-License-Identifier: Apache-2.0
package rookery.model.push;

import java.util.Arrays;
import java.util.Optional;

/** The five lists of push rules, in the order in which they are evaluated (contract.md 12.2). */
public enum RuleKind {
    OVERRIDE("override"),
    CONTENT("content"),
    ROOM("room"),
    SENDER("sender"),
    UNDERRIDE("underride");

    public final String word;

    RuleKind(String word) {
        this.word = word;
    }

    /** Empty for a word that is not in the specification. */
    public static Optional<RuleKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }
}
