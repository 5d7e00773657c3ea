// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Validation of addresses, and policies; auth-service.yml explains every key.
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
        @DefaultValue Policy policy) {
    /**
     * The policy of a tenant.
     *
     * @param changes whether users may add and remove addresses
     * @param hideKnownAddresses whether a request for a token has the same answer for addresses of existing accounts and for
     *     unknown ones
     * @param nextLinkHosts hosts for the redirect after a validation, beside the tenant's own hosts
     * @param allowedEmails the pattern that every email address must match, or null; phone numbers likewise
     * @param deniedEmails the pattern that no email address may match, or null; phone numbers likewise
     */
    public record Policy(
            @DefaultValue("true") boolean changes,
            @DefaultValue("false") boolean hideKnownAddresses,
            @DefaultValue List<String> nextLinkHosts,
            @Nullable Pattern allowedEmails,
            @Nullable Pattern deniedEmails,
            @Nullable Pattern allowedPhones,
            @Nullable Pattern deniedPhones) {
        /** True if the tenant permits the address. */
        public boolean allows(Threepid threepid) {
            return switch (threepid.medium()) {
                // also in the delivered form: look-alike letters must not bypass a pattern
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

    /** The maximum number of messages to all addresses of a tenant within the window. */
    public int messagesOfTenantMax(Medium medium) {
        return switch (medium) {
            case EMAIL -> mailsOfTenantMax;
            case MSISDN -> textsOfTenantMax;
        };
    }
}
