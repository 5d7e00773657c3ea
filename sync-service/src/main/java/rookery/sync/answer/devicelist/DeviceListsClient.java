// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.ServiceClient;
import rookery.platform.runtime.Turnstile;
import rookery.sync.answer.ColdProperties;
import tools.jackson.databind.json.JsonMapper;

/** Reads device list changes from room-service where this node's memory does not suffice. */
@Component
class DeviceListsClient {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ServiceClient services;
    private final Turnstile turnstile;

    DeviceListsClient(ServiceClient services, ColdProperties properties) {
        this.services = services;
        this.turnstile = new Turnstile(properties.roomsAtOnce(), properties.roomsWaitingMax());
    }

    /** The changes in {@code (since, upto]}, without the user's own devices. */
    Mono<EpochLists> ask(TenantUser user, Positions since, Positions upto) {
        var request = new DeviceListsRequest(user.tenant(), user.user(), since.toArray(), upto.toArray());
        var lines = services.lines("room-service", user.user().value(), "/internal/device-lists", request);
        return turnstile.pass(user.tenant(), user.user(), read(lines));
    }

    /** @param epoch the epoch of the room log at the read */
    record EpochLists(long epoch, DeviceLists lists) {}

    private static Mono<EpochLists> read(Flux<String> lines) {
        return lines.collect(Lines::new, Lines::take).map(Lines::result);
    }

    /** Parses an answer. An answer without its last line is truncated, because room-service died, and is an error. */
    private static final class Lines {
        private final DeviceLists lists = new DeviceLists();
        private int users;
        private @Nullable Long epoch;

        void take(String line) {
            var read = JSON.readValue(line, Line.class);
            if (read.changed != null) {
                lists.changed().addAll(read.changed);
                users += read.changed.size();
            }
            if (read.left != null) {
                lists.left().addAll(read.left);
                users += read.left.size();
            }
            if (read.end != null && read.end == users) {
                epoch = read.epoch;
            }
        }

        EpochLists result() {
            if (epoch == null) {
                throw ApiException.unavailable("room-service did not finish its answer, try again in a moment");
            }
            return new EpochLists(epoch, lists);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and written once
    record DeviceListsRequest(TenantId tenant, UserId user, long[] since, long[] upto) {}

    /** Users of one list; the last line contains the epoch and the number of users. */
    record Line(
            @Nullable List<UserId> changed,
            @Nullable List<UserId> left,
            @Nullable Long epoch,
            @Nullable Integer end) {}
}
