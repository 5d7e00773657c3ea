// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.openapi;

/**
 * An answer that is not as the document says.
 *
 * @param operation method and path as the document has it, or as it was asked for if the document does not have it
 * @param pointer the place in the answer, as a JSON pointer; empty for the whole answer
 */
record Disagreement(String operation, int status, String pointer, String message) {
    @Override
    public String toString() {
        return "%s %d%s: %s".formatted(operation, status, pointer.isEmpty() ? "" : " at " + pointer, message);
    }
}
