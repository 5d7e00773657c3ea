package rookery.e2e;

import rookery.e2e.running.Rookery;

/** All services in one JVM, for {@link OnOneJvm}. */
final class OneJvmExtension extends SharedRookery {
    static final String NAME = "one-jvm";

    OneJvmExtension() {
        // a request whose count comes late, on a busy machine, is counted twice: a limit never opens, but it may close
        // early
        super(NAME, plan -> plan.tenants(SharedRookery.TENANTS_AND_ONE).with("-Drookery.redis.timeout=2s"));
    }

    @Override
    void end(Rookery rookery) {
        rookery.close();
    }
}
