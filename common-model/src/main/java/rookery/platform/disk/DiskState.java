package rookery.platform.disk;

/** What a disk has room for. */
enum DiskState {
    /** Everything. */
    ENOUGH("ok"),
    /** Everything but uploads. */
    LOW("degraded"),
    /** Reading and deleting. */
    FULL("error");

    /** As {@code health/ready} says it. */
    final String text;

    DiskState(String text) {
        this.text = text;
    }

    /** @param free share of the disk that is free; NaN if that is not known */
    static DiskState of(double free, DiskProperties limits) {
        return free < limits.writesBelow() ? FULL : free < limits.uploadsBelow() ? LOW : ENOUGH;
    }
}
