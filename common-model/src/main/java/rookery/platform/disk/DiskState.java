// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

/** The free space of a disk against its limits. */
enum DiskState {
    /** Enough for everything. */
    ENOUGH("ok"),
    /** Too little for uploads. */
    LOW("degraded"),
    /** Too little for any write. */
    FULL("error");

    /** The word in {@code health/ready}. */
    final String text;

    DiskState(String text) {
        this.text = text;
    }

    /** @param free share of the disk that is free; NaN if unknown */
    static DiskState of(double free, DiskProperties limits) {
        return free < limits.writesBelow() ? FULL : free < limits.uploadsBelow() ? LOW : ENOUGH;
    }
}
