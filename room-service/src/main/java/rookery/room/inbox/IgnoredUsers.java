// SPDX-License-Identifier: Apache-2.0
package rookery.room.inbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriUtils;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import rookery.room.inbox.IgnoreLists.AsOf;
import tools.jackson.databind.JsonNode;

/**
 * The users whom a user ignores. A new ignore list applies from the next response on (contract.md 13.2), so
 * auth-service is asked for changes since the local copy; without an answer the copy is used.
 */
@Component
public class IgnoredUsers {
    private static final Logger log = LoggerFactory.getLogger(IgnoredUsers.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final IgnoreLists lists;
    private final ServiceClient services;

    IgnoredUsers(IgnoreLists lists, ServiceClient services) {
        this.lists = lists;
        this.services = services;
    }

    /** The ignored user ids, without the user's own id. */
    public Mono<Set<String>> of(TenantId tenant, UserId user) {
        var tenantUser = new TenantUser(tenant, user);
        return lists.find(tenantUser).flatMap(copy -> current(tenantUser, copy)).map(users -> without(user, users));
    }

    private static Set<String> without(UserId user, Set<String> users) {
        var others = new HashSet<>(users);
        others.remove(user.value());
        return others;
    }

    private Mono<Set<String>> current(TenantUser tenantUser, AsOf copy) {
        return changedAfter(tenantUser, copy.pos())
                .flatMap(data -> data.epoch == copy.epoch() ? Mono.just(data) : changedAfter(tenantUser, 0))
                .map(data -> data.ignoredOr(copy.ignored()))
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", failure.getMessage())
                            .log("fetching an ignore list failed, using the local copy");
                    return Mono.just(copy.ignored());
                });
    }

    private Mono<AccountData> changedAfter(TenantUser tenantUser, long pos) {
        String path = "/internal/users/%s/account-data?tenant=%d&after=%d"
                .formatted(
                        UriUtils.encode(tenantUser.user().value(), StandardCharsets.UTF_8),
                        tenantUser.tenant().value(),
                        pos);
        return services.get("auth-service", tenantUser.user().value(), path, AccountData.class)
                .timeout(PATIENCE);
    }

    /** The ids in the content of {@code m.ignored_user_list}. */
    static Set<String> ids(JsonNode content) {
        var ids = new HashSet<>(content.path("ignored_users").propertyNames());
        ids.removeIf(id -> id.indexOf('\0') >= 0); // valid user ids have no U+0000, and PostgreSQL cannot store it
        return ids;
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record AccountData(long epoch, List<AccountDataEvent> events) {
        Set<String> ignoredOr(Set<String> before) {
            for (var event : events) {
                if (event.room == null && event.type.equals(AccountDataTypes.IGNORED_USERS)) {
                    return ids(event.content);
                }
            }
            return before;
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record AccountDataEvent(String type, @Nullable RoomId room, JsonNode content) {}
}
