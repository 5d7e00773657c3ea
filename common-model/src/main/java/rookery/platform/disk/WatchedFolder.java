package rookery.platform.disk;

import java.nio.file.Path;

/**
 * A folder that a service writes to; a bean of that service.
 *
 * @param disk the name of its disk in metrics and at {@code health/ready}: it says nothing of the path, which strangers read there
 * @param holdsTables whether PostgreSQL's data are on the same disk, so that other writes than uploads need it as well
 */
public record WatchedFolder(String disk, Path folder, boolean holdsTables) {}
