package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A client's own name for one request, so that a retry is not a second request (contract.md 2.7). */
public record TransactionId(@JsonValue String value) {
    public TransactionId {
        Ids.requireText(value, "transaction id");
        if (value.isEmpty()) {
            throw Ids.invalid("a transaction id is not empty");
        }
    }
}
