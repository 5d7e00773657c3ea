// SPDX-License-Identifier: Apache-2.0
/** Administration of registration tokens. */
@NullMarked
package rookery.admin.registration;

import org.jspecify.annotations.NullMarked;
