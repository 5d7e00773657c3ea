package rookery.push.delivery;

import rookery.model.id.UserId;
import rookery.platform.push.Verdict;

/**
 * A user to be notified of an event, on all pushers.
 *
 * @param event the same object for all users of the event
 */
public record NewUnit(UnitEvent event, UserId user, Verdict verdict) {}
