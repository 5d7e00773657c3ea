// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints the sentence instead of a stack trace. */
final class UnknownKeyAnalyzer extends AbstractFailureAnalyzer<UnknownKeyException> {
    UnknownKeyAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable root, UnknownKeyException cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct the key; --check shows the whole configuration.", cause);
    }
}
