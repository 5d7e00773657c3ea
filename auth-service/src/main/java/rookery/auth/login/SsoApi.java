// SPDX-License-Identifier: Apache-2.0
package rookery.auth.login;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Single sign-on is not offered (contract.md 1, D8): always M_UNRECOGNIZED. */
@RestController
@Access(Level.NONE)
class SsoApi {
    @GetMapping({"/_api/client/v3/login/sso/redirect", "/_api/client/v3/login/sso/redirect/{idpId}"})
    void redirect() {
        throw new ApiException(ErrorCode.M_UNRECOGNIZED, "Single sign-on is not implemented").withStatus(501);
    }
}
