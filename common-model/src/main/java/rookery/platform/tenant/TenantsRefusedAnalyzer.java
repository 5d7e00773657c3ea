// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints the sentence instead of a stack trace. */
final class TenantsRefusedAnalyzer extends AbstractFailureAnalyzer<TenantsRefusedException> {
    TenantsRefusedAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable root, TenantsRefusedException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Correct rookery.tenants for all services alike; a number and its server name are fixed for ever.",
                cause);
    }
}
