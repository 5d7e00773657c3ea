// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import rookery.e2e.running.Rookery;

/** All services in one JVM, for {@link OnOneJvm}. */
final class OneJvmExtension extends SharedRookery {
    static final String NAME = "one-jvm";

    /** Off by default; StandardE2E looks for every endpoint. */
    private static final String PREVIEWS = "-Drookery.room.media.preview.enabled=true";

    OneJvmExtension() {
        // a request whose count comes late, on a busy machine, is counted twice: a limit never opens, but it may close
        // early
        super(NAME, plan -> plan.tenants(SharedRookery.TENANTS_AND_ONE).with("-Drookery.redis.timeout=2s", PREVIEWS));
    }

    @Override
    void end(Rookery rookery) {
        rookery.close();
    }
}
