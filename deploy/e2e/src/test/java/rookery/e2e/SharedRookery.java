// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import rookery.e2e.openapi.AnswerCheck;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;

/**
 * A Rookery shared by all test classes that request it, started before the first and stopped after the last: two tenants with
 * default settings, but for text messages in the first, and three with other settings.
 */
abstract class SharedRookery implements ParameterResolver {
    static final String FIRST_TENANT = "localhost";

    static final String SECOND_TENANT = "other.example";

    /** Who registers needs a token and agrees to terms; next to nothing is allowed. */
    static final String STRICT = "strict.example";

    /** Nobody may register, and no mail is sent. */
    static final String CLOSED = "closed.example";

    /** A tenant whose registration needs a mail address. */
    static final String BY_MAIL = "mail.example";

    /** A tenant with default settings, present only with {@link #TENANTS_AND_ONE}. */
    static final String LAST_TENANT = "last.example";

    private static final String[] TENANTS = {SECOND_TENANT, STRICT, CLOSED, BY_MAIL};

    /** In the order of the numbers that their settings are for. */
    static final String[] TENANTS_AND_ONE = {SECOND_TENANT, STRICT, CLOSED, BY_MAIL, LAST_TENANT};

    private static final Map<String, Map<String, ?>> SETTINGS_OF_TENANTS = Map.of(
            FIRST_TENANT, Map.of("text_messages", false),
            STRICT,
                    Map.of(
                            "registration",
                            "token",
                            "terms",
                            Map.of(
                                    "privacy",
                                    Map.of(
                                            "version",
                                            "1.0",
                                            "en",
                                            Map.of("name", "Privacy", "url", "https://strict.example/privacy"))),
                            "login_tokens",
                            false,
                            "address_changes",
                            false,
                            "denied_emails",
                            ".*@denied[.]example",
                            "profiles_need_shared_room",
                            true,
                            "text_messages",
                            false,
                            "public_url",
                            "https://strict.example"),
            CLOSED, Map.of("registration", "closed", "mail", false, "text_messages", false),
            BY_MAIL, Map.of("registration", "email"));

    private static final String[] SETTINGS = {
        // hundreds of people register in a run, and a hash that is dear to a thief is dear to us
        "-Drookery.auth.password.memory=1MB",
        "-Drookery.auth.password.iterations=1",
        "-Drookery.admin.operator.deletion-pause=2s",
        // a few people claim hundreds of keys
        "-Drookery.auth.keys.claims-per-day=1000000",
        // on a machine that is busy with other things, waiting for a connection fails no test
        "-Dspring.r2dbc.pool.max-acquire-time=30s"
    };

    /**
     * What JUnit closes at the end.
     *
     * @param atStart names of the instances
     */
    private record Running(Rookery rookery, List<String> atStart, SharedRookery extension) implements AutoCloseable {
        Running(Rookery rookery, SharedRookery extension) {
            this(rookery, rookery.instances().stream().map(Instance::name).toList(), extension);
        }

        @Override
        public void close() {
            extension.end(rookery);
        }
    }

    private final String name;
    private final Function<Plan, Plan> more;

    /**
     * Creates the Rookery that all extensions with this name share.
     *
     * @param more changes of the plan besides tenants and their settings
     */
    SharedRookery(String name, Function<Plan, Plan> more) {
        this.name = name;
        this.more = more;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return type == Rookery.class || type == SmsInbox.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SmsInbox.class ? sms(context) : running(context);
    }

    private static SmsInbox sms(ExtensionContext context) {
        return store(context).computeIfAbsent("sms", _ -> new SmsInbox(), SmsInbox.class);
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
    }

    /** The shared Rookery, which is started for the first class that needs it. */
    Rookery running(ExtensionContext context) {
        return shared(context).rookery;
    }

    /** Names of the instances that ran when the shared Rookery had started, such as {@code room-service-2}. */
    List<String> atStart(ExtensionContext context) {
        return shared(context).atStart;
    }

    private Running shared(ExtensionContext context) {
        var sms = sms(context);
        store(context).computeIfAbsent("answers", _ -> AnswerCheck.started(), AnswerCheck.class);
        return store(context).computeIfAbsent(name, _ -> new Running(start(sms), this), Running.class);
    }

    /** Stops the Rookery; fails when a process remains. */
    abstract void end(Rookery rookery);

    private Rookery start(SmsInbox sms) {
        var rookery = Rookery.start(
                more.apply(Plan.quick(name).tenants(TENANTS).with(SETTINGS).with("-Drookery.sms.url=" + sms.url())));
        try {
            var operator = new OperatorCalls(rookery);
            long version = 0;
            for (var tenant : SETTINGS_OF_TENANTS.entrySet()) {
                var path = "/tenants/" + tenant.getKey() + "/settings";
                version = operator.call("PATCH", path, tenant.getValue())
                        .ok()
                        .path("version")
                        .asLong();
            }
            RegistryVersions.awaitEverywhere(rookery, version);
            return rookery;
        } catch (IOException failure) {
            rookery.close();
            throw new UncheckedIOException(failure);
        }
    }
}
