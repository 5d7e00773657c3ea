// SPDX-License-Identifier: Apache-2.0
package rookery.sync.ring;

import java.util.ArrayList;
import java.util.List;
import rookery.model.topic.RoomLogRecord.Receipt;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Receipts as {@code m.receipt} events (contract.md 11.3). */
public final class ReceiptEvents {
    public static final String TYPE = "m.receipt";

    private static final JsonMapper JSON = JsonMapper.shared();

    private ReceiptEvents() {}

    /** The receipts as one event, or more if a user has read the same event in several threads. */
    public static List<String> of(List<Receipt> receipts) {
        var contents = new ArrayList<ObjectNode>();
        receipts.forEach(receipt -> put(contents, receipt));
        return contents.stream()
                .map(content -> JSON.createObjectNode().put("type", TYPE).set("content", content))
                .map(Object::toString)
                .toList();
    }

    private static void put(List<ObjectNode> contents, Receipt receipt) {
        for (var content : contents) {
            if (putIfAbsent(content, receipt)) {
                return;
            }
        }
        var content = JSON.createObjectNode();
        putIfAbsent(content, receipt);
        contents.add(content);
    }

    private static boolean putIfAbsent(ObjectNode content, Receipt receipt) {
        var users = object(object(content, receipt.eventId().value()), receipt.type());
        String user = receipt.user().value();
        if (users.has(user)) {
            return false;
        }
        var data = users.putObject(user).put("ts", receipt.ts());
        if (receipt.thread() != null) {
            data.put("thread_id", receipt.thread());
        }
        return true;
    }

    private static ObjectNode object(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode child ? child : parent.putObject(name);
    }
}
