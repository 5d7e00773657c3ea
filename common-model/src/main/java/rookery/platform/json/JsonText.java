package rookery.platform.json;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/** JSON that is ready as it is: written into an answer without being read again. */
public record JsonText(@JsonValue @JsonRawValue String text) {}
