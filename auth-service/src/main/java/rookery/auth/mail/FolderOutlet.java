// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Properties;
import rookery.auth.outbox.MessageFolder;

/** Writes each mail as an .eml file into a folder, for installations without a mail server. */
record FolderOutlet(MessageFolder folder) implements Outlet {
    @Override
    public MimeMessage create() {
        return new MimeMessage(Session.getInstance(new Properties()));
    }

    @Override
    public void deliver(MimeMessage message) throws IOException, MessagingException {
        var bytes = new ByteArrayOutputStream();
        message.writeTo(bytes);
        folder.write(bytes.toByteArray());
    }
}
