// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

/** Finds the message of a failure's root cause. */
final class Causes {
    private Causes() {}

    static String rootMessage(Throwable failure) {
        var root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        var message = root.getMessage() == null
                ? ""
                : root.getMessage().lines().findFirst().orElse("");
        return message.isBlank() ? root.getClass().getSimpleName() : message;
    }
}
