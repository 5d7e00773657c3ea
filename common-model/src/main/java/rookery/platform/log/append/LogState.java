// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

/** The state of a log for followers: ends and earlier epochs. */
public record LogState(Heads heads, EarlierEpochs earlier) {}
