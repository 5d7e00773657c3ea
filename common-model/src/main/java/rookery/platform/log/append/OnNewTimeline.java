// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

/** The reaction of a log's owner when the database was promoted, restored or replaced. */
public enum OnNewTimeline {
    /** Commits may be lost: begin a new epoch, and followers beyond the log begin anew. */
    RAISE,
    /** Append nothing until an operator has raised the epoch or confirmed that nothing was lost. */
    STOP,
    /** Nothing is lost, for example because standbys confirm every commit: note the new timeline. */
    TRUST
}
