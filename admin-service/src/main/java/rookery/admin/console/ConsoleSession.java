// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import rookery.model.caller.Caller;

/**
 * A session of an administrator in the console.
 *
 * @param caller the administrator
 * @param formToken the value of the hidden field in each form of this session, which other sites cannot know
 */
record ConsoleSession(Caller caller, String formToken) {
    static final String ATTRIBUTE = ConsoleSession.class.getName();

    @Override
    public String toString() {
        return caller.user().value(); // without the token
    }
}
