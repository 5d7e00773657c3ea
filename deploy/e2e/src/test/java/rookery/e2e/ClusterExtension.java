package rookery.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import rookery.e2e.running.Plan;
import rookery.e2e.running.Rookery;

/**
 * One local cluster for all test classes that ask for it, stopped after the last of them: two tenants that are as they come, and
 * three that are configured otherwise.
 */
final class ClusterExtension implements ParameterResolver {
    static final String SECOND_TENANT = "other.example";

    /** Held by classes that start all services once more: the cores are too few for two such at once beside the cluster. */
    static final String ROOKERY_OF_ITS_OWN = "a Rookery of its own";

    /** Who registers needs a token and agrees to terms; next to nothing is allowed. */
    static final String STRICT = "strict.example";

    /** Nobody may register, and no mail is sent. */
    static final String CLOSED = "closed.example";

    /** Who registers needs an address. */
    static final String BY_MAIL = "mail.example";

    private static final String REGISTRATION = "-Drookery.auth.registration.tenants.";
    private static final String[] SETTINGS = {
        REGISTRATION + "3.mode=token",
        REGISTRATION + "3.terms.privacy.version=1.0",
        REGISTRATION + "3.terms.privacy.texts.en.name=Privacy",
        REGISTRATION + "3.terms.privacy.texts.en.url=https://strict.example/privacy",
        REGISTRATION + "4.mode=closed",
        REGISTRATION + "5.mode=email",
        "-Drookery.auth.login-token.tenants.3.enabled=false",
        "-Drookery.auth.threepid.tenants.3.changes=false",
        "-Drookery.auth.threepid.tenants.3.denied-emails=.*@denied[.]example",
        "-Drookery.auth.profile.tenants.3=true",
        "-Drookery.auth.discovery.tenants.3=https://strict.example",
        "-Drookery.mail.tenants.4.enabled=false",
        "-Drookery.sms.tenants-without=1,3,4",
        // hundreds of people register in a run, and a hash that is dear to a thief is dear to us
        "-Drookery.auth.password.memory=1MB",
        "-Drookery.auth.password.iterations=1"
    };

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return type == Rookery.class || type == SmsInbox.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var store = context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
        var sms = store.computeIfAbsent("sms", _ -> new SmsInbox(), SmsInbox.class);
        return parameter.getParameter().getType() == SmsInbox.class
                ? sms
                : store.computeIfAbsent("cluster", _ -> start(sms), Rookery.class);
    }

    private static Rookery start(SmsInbox sms) {
        return Rookery.start(Plan.quick("cluster")
                .cluster("gateway=2,room=2,sync=3")
                .tenants(SECOND_TENANT, STRICT, CLOSED, BY_MAIL)
                .with(SETTINGS)
                .with("-Drookery.sms.url=" + sms.url()));
    }
}
