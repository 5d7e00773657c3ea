// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import rookery.model.id.UserId;

/** A pusher of a user whose badge count changed. */
record BadgeTarget(Lane lane, UserId user, Target target) {}
