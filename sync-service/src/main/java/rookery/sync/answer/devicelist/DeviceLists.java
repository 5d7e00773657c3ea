// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import rookery.model.id.UserId;
import tools.jackson.core.JsonGenerator;

/** Users whose devices a client must query again, and users who share no room with the reader any more. Mutable. */
record DeviceLists(Set<UserId> changed, Set<UserId> left) {
    DeviceLists() {
        this(new LinkedHashSet<>(), new LinkedHashSet<>());
    }

    boolean areEmpty() {
        return changed.isEmpty() && left.isEmpty();
    }

    /** Adds the users of other lists. */
    DeviceLists plus(DeviceLists others) {
        changed.addAll(others.changed);
        left.addAll(others.left);
        return this;
    }

    /** Writes the two members into the current JSON object. */
    void write(JsonGenerator json) {
        write("changed", changed, json);
        write("left", left, json);
    }

    private static void write(String name, Collection<UserId> users, JsonGenerator json) {
        json.writeArrayPropertyStart(name);
        users.forEach(user -> json.writeString(user.value()));
        json.writeEndArray();
    }
}
