// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import jakarta.mail.internet.MimeMessage;
import org.springframework.mail.javamail.JavaMailSender;

/** A mail server. */
record SmtpOutlet(JavaMailSender sender) implements Outlet {
    @Override
    public MimeMessage create() {
        return sender.createMimeMessage();
    }

    @Override
    public void deliver(MimeMessage message) {
        sender.send(message);
    }
}
