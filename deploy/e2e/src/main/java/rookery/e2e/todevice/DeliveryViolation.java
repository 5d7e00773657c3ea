package rookery.e2e.todevice;

import java.util.List;

/** A broken promise of contract.md 13.5. Its text is for people. */
sealed interface DeliveryViolation {
    /** A message whose sender was told that it is sent never reached the device. */
    record Lost(String device, String tag) implements DeliveryViolation {}

    /** A device was told what it had acknowledged: a token that covers it was answered before. */
    record ToldAgain(String device, String tag, String since) implements DeliveryViolation {}

    /** A device that began anew, without a token, was told what it had acknowledged before. */
    record ToldAnew(String device, String tag) implements DeliveryViolation {}

    /** A message stands twice in one answer. */
    record Doubled(String device, String tag) implements DeliveryViolation {}

    /** One message was written for a device several times. */
    record Multiplied(String device, String tag, List<Long> positions) implements DeliveryViolation {}

    /** A device was told a message before one that its sender had sent earlier. */
    record Reordered(String device, String sender, String tag, String earlierTag) implements DeliveryViolation {}

    /** A device was told a message that nobody sent it, or not that sender. */
    record Foreign(String device, String sender, String tag) implements DeliveryViolation {}
}
