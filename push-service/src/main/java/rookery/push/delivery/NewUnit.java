package rookery.push.delivery;

import rookery.model.id.UserId;
import rookery.platform.push.Verdict;

/**
 * Somebody who is to be told of an event, on all pushers.
 *
 * @param event the same object for all who are told of it
 */
public record NewUnit(UnitEvent event, UserId user, Verdict verdict) {}
