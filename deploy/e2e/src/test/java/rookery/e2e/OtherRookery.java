// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import rookery.e2e.running.Rookery;

/** The Rookery of {@link OnOneJvm}, for a test on the cluster that needs a second installation. */
record OtherRookery(Rookery rookery) {
    static final class Extension implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == OtherRookery.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new OtherRookery(new OneJvmExtension().running(context));
        }
    }
}
