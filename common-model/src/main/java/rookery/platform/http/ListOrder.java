// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

/**
 * The order of a list for administrators (contract.md 5.2).
 *
 * @param by the field that is compared; items of equal value are in the order of their ids
 * @param backwards whether the largest value comes first, and of equal values the largest id
 */
public record ListOrder(String by, boolean backwards) {}
