// SPDX-License-Identifier: Apache-2.0
package rookery.platform.json;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/** Finished JSON, copied into a response without parsing. */
public record JsonText(@JsonValue @JsonRawValue String text) {}
