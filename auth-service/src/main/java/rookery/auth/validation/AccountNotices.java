// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.mail.Mail;
import rookery.auth.mail.Mailer;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.Threepid;
import rookery.auth.threepid.Threepids;
import rookery.auth.threepid.Threepids.ThreepidRow;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * Notifies the owner of an account about a changed password or address, at the addresses from before the change (contract.md
 * 7.4). A failed mail does not undo the change.
 */
@Component
public class AccountNotices {
    private static final Logger log = LoggerFactory.getLogger(AccountNotices.class);

    private final Threepids threepids;
    private final Mailer mailer;
    private final Templates templates;

    AccountNotices(Threepids threepids, Mailer mailer, Templates templates) {
        this.threepids = threepids;
        this.mailer = mailer;
        this.templates = templates;
    }

    /** The kind of change. */
    public enum Notice {
        ADDRESS_ADDED("An address was added to your account", "An address was added to your account"),
        ADDRESS_REMOVED("An address was removed from your account", "An address was removed from your account"),
        PASSWORD_CHANGED("Your password was changed", "The password of your account was changed");

        private final String subject;
        private final String what;

        Notice(String subject, String what) {
            this.subject = subject;
            this.what = what;
        }
    }

    /** The current addresses of the account. */
    public Mono<List<Threepid>> addresses(TenantId tenant, UserId user) {
        return threepids.of(tenant, user).map(ThreepidRow::threepid).collectList();
    }

    /** Completes when all mails are sent or have failed. Text messages cost money at the caller's will, so none are sent. */
    public Mono<Void> send(TenantId tenant, UserId owner, List<Threepid> addresses, Notice notice) {
        if (!mailer.isOn(tenant)) {
            return Mono.empty();
        }
        Map<String, Object> values = Map.of("server", owner.server().value(), "what", notice.what);
        return Flux.fromIterable(addresses)
                .filter(threepid -> threepid.medium() == Medium.EMAIL)
                .map(threepid -> new Mail(
                        threepid.address(),
                        notice.subject,
                        templates.filled("notice.txt", values),
                        templates.filled("notice.html", values)))
                .flatMap(mail -> mailer.send(tenant, mail))
                .then()
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("notice", notice)
                            .log("a notice to the owner of an account could not be sent");
                    return Mono.empty();
                });
    }
}
