// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import rookery.model.id.UserId;
import rookery.platform.push.Verdict;

/** A user to be notified of an event, on all pushers. All users of one event share one object. */
public record NewUnit(UnitEvent event, UserId user, Verdict verdict) {}
