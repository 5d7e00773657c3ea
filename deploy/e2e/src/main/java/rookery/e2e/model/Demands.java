// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.model;

/**
 * The demands on a conversation that depend on faults.
 *
 * @param punctual whether late responses are failures, because no process is killed
 * @param counts whether unread counts are checked. In the end every node must return the counts of a recount, and each chain must
 *      have received them. Earlier responses must be within the possible range, unless processes are killed or the token marks
 *      the counts as doubtful
 */
record Demands(boolean punctual, boolean counts) {}
