// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

/** The account data types that the server itself reads or writes (contract.md 13.2). */
public final class AccountDataTypes {
    public static final String PUSH_RULES = "m.push_rules";
    public static final String IGNORED_USERS = "m.ignored_user_list";
    public static final String INVITE_PERMISSION = "m.invite_permission_config";
    public static final String FULLY_READ = "m.fully_read";
    public static final String TAG = "m.tag";

    /** The content of deleted account data: only incremental syncs contain deleted entries. */
    public static final String DELETED = "{}";

    private AccountDataTypes() {}
}
