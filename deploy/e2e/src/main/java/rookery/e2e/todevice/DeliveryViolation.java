// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import java.util.List;

/** A broken promise of contract.md 13.5; the text is part of the report. */
sealed interface DeliveryViolation {
    /** An accepted message did not reach the device. */
    record Lost(String device, String tag) implements DeliveryViolation {}

    /** A device received an acknowledged message, after a token covering the message was confirmed. */
    record ToldAgain(String device, String tag, String since) implements DeliveryViolation {}

    /** An initial sync returned an acknowledged message. */
    record ToldAnew(String device, String tag) implements DeliveryViolation {}

    /** A response contained a message twice. */
    record Doubled(String device, String tag) implements DeliveryViolation {}

    /** A message was written for a device several times. */
    record Multiplied(String device, String tag, List<Long> positions) implements DeliveryViolation {}

    /** A device received a message before an earlier message of the same sender. */
    record Reordered(String device, String sender, String tag, String earlierTag) implements DeliveryViolation {}

    /** A device received a message that was not sent to it, or with another sender. */
    record Foreign(String device, String sender, String tag) implements DeliveryViolation {}
}
