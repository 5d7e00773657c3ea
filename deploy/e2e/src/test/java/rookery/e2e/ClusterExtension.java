// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import rookery.e2e.running.Rookery;

/** The local cluster of {@link OnCluster} and {@link BreaksCluster}. */
final class ClusterExtension extends SharedRookery {
    static final String NAME = "cluster";

    ClusterExtension() {
        super(NAME, plan -> plan.cluster("gateway=2,room=2,sync=3"));
    }

    /** As when somebody kills the launcher: its instances and servers notice, and end by themselves. */
    @Override
    void end(Rookery rookery) {
        rookery.killLauncher();
    }
}
