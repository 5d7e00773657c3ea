// SPDX-License-Identifier: Apache-2.0
package rookery.platform.disk;

import java.nio.file.Path;

/**
 * A folder that a service writes to; a bean of that service.
 *
 * @param disk the disk's name in metrics and in {@code health/ready}, a public page, so not the path
 * @param holdsTables whether PostgreSQL's data are on the same disk, so that all writes need its space
 */
public record WatchedFolder(String disk, Path folder, boolean holdsTables) {}
