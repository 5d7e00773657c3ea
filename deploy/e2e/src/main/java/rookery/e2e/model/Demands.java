package rookery.e2e.model;

/**
 * What is demanded of a conversation beside what holds always.
 *
 * @param punctual whether nothing excuses an answer that comes late: no process was killed
 * @param counts whether unread counts are judged. In the end every node tells exactly what a recount finds, and so has told each
 *     device. Before that, where nothing was killed, they are held between what surely counts and what may, in every answer but
 *     those whose token says that push-service had not told the node everything yet
 */
record Demands(boolean punctual, boolean counts) {}
