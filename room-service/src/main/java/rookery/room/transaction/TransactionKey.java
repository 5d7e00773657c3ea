// SPDX-License-Identifier: Apache-2.0
package rookery.room.transaction;

import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;

/** Identifies repetitions of a request: {@code request} is the endpoint with its room and other path parts (contract.md 2.7). */
public record TransactionKey(TenantId tenant, UserId user, DeviceId device, String request, TransactionId txn) {}
