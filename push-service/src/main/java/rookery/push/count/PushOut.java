package rookery.push.count;

import rookery.model.id.UserId;
import rookery.platform.push.Verdict;

/**
 * Somebody who is to be told of an event, on all pushers.
 *
 * @param content the same object for all who are told of it
 */
public record PushOut(PushedContent content, UserId user, Verdict verdict) {}
