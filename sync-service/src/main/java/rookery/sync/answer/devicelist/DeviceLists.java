package rookery.sync.answer.devicelist;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import rookery.model.id.UserId;
import tools.jackson.core.JsonGenerator;

/** Whose devices a user must look at again, and whose no more because they share no room any longer; to be added to. */
record DeviceLists(Set<UserId> changed, Set<UserId> left) {
    /** Of nobody. */
    DeviceLists() {
        this(new LinkedHashSet<>(), new LinkedHashSet<>());
    }

    boolean areEmpty() {
        return changed.isEmpty() && left.isEmpty();
    }

    /** Adds others to these. */
    DeviceLists plus(DeviceLists others) {
        changed.addAll(others.changed);
        left.addAll(others.left);
        return this;
    }

    /** The members of a JSON object. */
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
