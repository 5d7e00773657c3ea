// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.mail.Mail;
import rookery.auth.mail.Mailer;
import rookery.auth.sms.SmsSender;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

/** The mails and text messages of a validation. */
@Component
class Messages {
    private final Mailer mailer;
    private final SmsSender sms;
    private final Templates templates;
    private final TenantUrls urls;

    Messages(Mailer mailer, SmsSender sms, Templates templates, TenantUrls urls) {
        this.mailer = mailer;
        this.sms = sms;
        this.templates = templates;
        this.urls = urls;
    }

    boolean isOn(TenantId tenant, Medium medium) {
        return switch (medium) {
            case EMAIL -> mailer.isOn(tenant);
            case MSISDN -> sms.isOn(tenant);
        };
    }

    /** Completes when the message is sent; 503 for a failure. */
    Mono<Void> send(TenantId tenant, ServerName server, TokenRequest request, String sid, String token) {
        return switch (request.threepid().medium()) {
            case EMAIL -> {
                var credentials = new Credentials(sid, request.clientSecret());
                yield mailer.send(tenant, mail(request, server, urls.link(tenant, credentials, token)));
            }
            case MSISDN -> sms.send(request.threepid().address(), text(server, token));
        };
    }

    /** Tells only the owner of the address that the address does not serve the purpose. Completes as {@link #send}. */
    Mono<Void> sendMisfit(TenantId tenant, ServerName server, TokenRequest request) {
        String what = misfit(request.purpose());
        return switch (request.threepid().medium()) {
            case EMAIL -> {
                Map<String, Object> values = Map.of("server", server.value(), "what", what);
                yield mailer.send(
                        tenant,
                        new Mail(
                                request.threepid().address(),
                                subject(request.purpose()),
                                templates.filled("misfit.txt", values),
                                templates.filled("misfit.html", values)));
            }
            case MSISDN -> sms.send(request.threepid().address(), "On %s: %s.".formatted(server.value(), what));
        };
    }

    private static String misfit(Purpose purpose) {
        return switch (purpose) {
            case REGISTER, ACCOUNT -> "an account there has this address already";
            case PASSWORD -> "no account there has this address";
        };
    }

    private Mail mail(TokenRequest request, ServerName server, String link) {
        Threepid to = request.threepid();
        Map<String, Object> values =
                Map.of("server", server.value(), "action", action(request.purpose()), "link", link);
        return new Mail(
                to.address(),
                subject(request.purpose()),
                templates.filled("mail.txt", values),
                templates.filled("mail.html", values));
    }

    private static String text(ServerName server, String code) {
        return "Your code for %s is %s. Tell it to nobody.".formatted(server.value(), code);
    }

    private static String subject(Purpose purpose) {
        return switch (purpose) {
            case REGISTER, ACCOUNT -> "Confirm your e-mail address";
            case PASSWORD -> "Set a new password";
        };
    }

    private static String action(Purpose purpose) {
        return switch (purpose) {
            case REGISTER -> "to register an account with this e-mail address";
            case ACCOUNT -> "to add this e-mail address to an account";
            case PASSWORD -> "to set a new password for the account with this e-mail address";
        };
    }
}
