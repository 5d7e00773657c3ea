// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.sql.Portions;
import rookery.room.section.DeviceListReader.DeviceLists;

/** Changes of device lists for sync nodes that have no copy of the range in memory. Internal. */
@RestController
class DeviceListsApi {
    private final DeviceListReader reader;

    DeviceListsApi(DeviceListReader reader) {
        this.reader = reader;
    }

    /**
     * One JSON document a line: {@code changed} or {@code left} with at most 1,000 user ids each, and a last line with
     * the epoch and the number of users. An answer without the last line is incomplete and must not be used.
     */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/device-lists")
    Flux<byte[]> deviceLists(@RequestBody DeviceListsQuery query) {
        return reader.read(query.tenant, query.user, Positions.of(query.since), Positions.of(query.upto))
                .flatMapIterable(DeviceListsApi::documents)
                .map(JsonLines::line);
    }

    private static List<Object> documents(DeviceLists lists) {
        var documents = new ArrayList<>();
        Portions.of(sorted(lists.changed())).forEach(users -> documents.add(Map.of("changed", users)));
        Portions.of(sorted(lists.left())).forEach(users -> documents.add(Map.of("left", users)));
        int users = lists.changed().size() + lists.left().size();
        documents.add(new DeviceListsEnd(lists.epoch(), users));
        return documents;
    }

    private static List<String> sorted(Collection<String> users) {
        return users.stream().sorted().toList();
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, read once
    record DeviceListsQuery(TenantId tenant, UserId user, long[] since, long[] upto) {}

    record DeviceListsEnd(long epoch, int end) {}
}
