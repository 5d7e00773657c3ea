// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A client's own id of one request, which makes a retry the same request (contract.md 2.7). */
public record TransactionId(@JsonValue String value) {
    public TransactionId {
        Ids.requireText(value, "transaction id");
        if (value.isEmpty()) {
            throw Ids.invalid("a transaction id is not empty");
        }
    }
}
