package rookery.auth.threepid;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.TenantId;

/**
 * How addresses are validated, and which; every key is explained in auth-service.yml.
 *
 * @param tenants policies of tenants, by their numbers, that have one of their own
 */
@ConfigurationProperties("rookery.auth.threepid")
public record ThreepidProperties(
        @DefaultValue("24h") Duration validationLife,
        @DefaultValue("10m") Duration codeLife,
        @DefaultValue("5") int codeTriesMax,
        @DefaultValue("5") int messagesMax,
        @DefaultValue("1h") Duration messagesWindow,
        @DefaultValue("1000") int mailsOfTenantMax,
        @DefaultValue("200") int textsOfTenantMax,
        @DefaultValue Policy policy,
        @DefaultValue Map<Integer, Policy> tenants) {
    /**
     * What a tenant lets its users do.
     *
     * @param changes whether they may add addresses and take them away
     * @param hideKnownAddresses whether who asks for a token is answered alike for addresses that an account here has and others
     * @param nextLinkHosts where a browser may be sent after a validation, beside the tenant's own hosts
     * @param allowedEmails what all e-mail addresses must match, or null; phone numbers likewise
     * @param deniedEmails what no e-mail address may match, or null; phone numbers likewise
     */
    public record Policy(
            @DefaultValue("true") boolean changes,
            @DefaultValue("false") boolean hideKnownAddresses,
            @DefaultValue List<String> nextLinkHosts,
            @Nullable Pattern allowedEmails,
            @Nullable Pattern deniedEmails,
            @Nullable Pattern allowedPhones,
            @Nullable Pattern deniedPhones) {
        /** Whether an address may be used with this tenant. */
        public boolean allows(Threepid threepid) {
            return switch (threepid.medium()) {
                // as it is delivered, too: a pattern must not be passed by letters that look alike
                case EMAIL ->
                    isAllowed(threepid.address(), allowedEmails, deniedEmails)
                            && isAllowed(Addresses.delivered(threepid).address(), allowedEmails, deniedEmails);
                case MSISDN -> isAllowed(threepid.address(), allowedPhones, deniedPhones);
            };
        }

        private static boolean isAllowed(String address, @Nullable Pattern allowed, @Nullable Pattern denied) {
            return (allowed == null || allowed.matcher(address).matches())
                    && (denied == null || !denied.matcher(address).matches());
        }
    }

    /** How many messages all addresses together are sent within the window. */
    public int messagesOfTenantMax(Medium medium) {
        return switch (medium) {
            case EMAIL -> mailsOfTenantMax;
            case MSISDN -> textsOfTenantMax;
        };
    }

    public Policy policy(TenantId tenant) {
        return tenants.getOrDefault(tenant.value(), policy);
    }
}
