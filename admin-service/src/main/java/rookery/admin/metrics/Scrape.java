// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

/**
 * The metrics that an instance answered.
 *
 * @param node the instance's name, such as {@code room-service-1}
 * @param text Prometheus text, version 0.0.4
 * @param at time of the answer, in ms since the epoch
 */
record Scrape(String node, String text, long at) {
    /** The node's name without its number. */
    String service() {
        return node.substring(0, node.lastIndexOf('-'));
    }
}
