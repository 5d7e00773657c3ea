// SPDX-License-Identifier: Apache-2.0
/** The part of Synapse's administration API that existing tools use, translated to Rookery's administration (contract.md 5.7). */
@NullMarked
package rookery.admin.synapse;

import org.jspecify.annotations.NullMarked;
