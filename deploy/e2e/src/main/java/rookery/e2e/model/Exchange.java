// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A sync request with its response.
 *
 * @param chain of the device; empty for a request outside of chains
 * @param startNanos just before the request
 */
record Exchange(
        Person person,
        String chain,
        SyncRequest request,
        String text,
        JsonNode answer,
        long startNanos,
        long endNanos) {
    static Exchange of(Person person, String chain, SyncRequest request, Reply reply, long startNanos) {
        return new Exchange(person, chain, request, reply.text(), reply.json(), startNanos, reply.endNanos());
    }

    String next() {
        return answer.path("next_batch").asString();
    }

    JsonNode rooms(String section) {
        return answer.path("rooms").path(section);
    }

    /** The ignored users in the account data of the response. */
    Set<String> ignored() {
        var ignored = new HashSet<String>();
        for (var event : answer.path("account_data").path("events")) {
            if (event.path("type").asString("").equals("m.ignored_user_list")) {
                event.path("content")
                        .path("ignored_users")
                        .propertyStream()
                        .forEach(user -> ignored.add(user.getKey()));
            }
        }
        return ignored;
    }

    @Override
    public String toString() {
        return "%s%s at node %d (%s)"
                .formatted(person, chain.isEmpty() ? " beside" : "", request.node(), request.words());
    }
}
