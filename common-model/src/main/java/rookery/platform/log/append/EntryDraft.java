// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** An entry without a position; see {@link rookery.model.topic.LogRecord} for the fields. */
public record EntryDraft(
        String kind,
        TenantId tenant,
        @Nullable RoomId room,
        @Nullable UserId subject,
        String body) {}
