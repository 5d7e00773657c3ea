package rookery.push.delivery;

import rookery.model.id.UserId;

/** A pusher whose user's number changed. */
record BadgeTarget(Lane lane, UserId user, Target target) {}
