// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/** A part of the API of operators (contract.md 20). {@link OperatorGate} has checked the caller, and records changes. */
public interface OperatorRoutes {
    RouterFunction<ServerResponse> routes();
}
