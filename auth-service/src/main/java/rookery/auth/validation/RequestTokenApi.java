// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Medium;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.JsonBody;

/** Sends validation tokens to addresses (contract.md 7.2). Errors: see {@link TokenSender}. */
@RestController
class RequestTokenApi {
    private final TokenSender sender;
    private final TenantUrls urls;

    RequestTokenApi(TokenSender sender, TenantUrls urls) {
        this.sender = sender;
        this.urls = urls;
    }

    @Access(Level.NONE)
    @PostMapping("/_api/client/v3/register/email/requestToken")
    Mono<RequestTokenAnswer> registerEmail(Caller caller, JsonBody body) {
        return started(caller, Purpose.REGISTER, Medium.EMAIL, body);
    }

    @Access(Level.NONE)
    @PostMapping("/_api/client/v3/register/msisdn/requestToken")
    Mono<RequestTokenAnswer> registerPhone(Caller caller, JsonBody body) {
        return started(caller, Purpose.REGISTER, Medium.MSISDN, body);
    }

    @PostMapping("/_api/client/v3/account/3pid/email/requestToken")
    Mono<RequestTokenAnswer> accountEmail(Caller caller, JsonBody body) {
        return started(caller, Purpose.ACCOUNT, Medium.EMAIL, body);
    }

    @PostMapping("/_api/client/v3/account/3pid/msisdn/requestToken")
    Mono<RequestTokenAnswer> accountPhone(Caller caller, JsonBody body) {
        return started(caller, Purpose.ACCOUNT, Medium.MSISDN, body);
    }

    @Access(Level.NONE)
    @PostMapping("/_api/client/v3/account/password/email/requestToken")
    Mono<RequestTokenAnswer> passwordEmail(Caller caller, JsonBody body) {
        return started(caller, Purpose.PASSWORD, Medium.EMAIL, body);
    }

    @Access(Level.NONE)
    @PostMapping("/_api/client/v3/account/password/msisdn/requestToken")
    Mono<RequestTokenAnswer> passwordPhone(Caller caller, JsonBody body) {
        return started(caller, Purpose.PASSWORD, Medium.MSISDN, body);
    }

    private Mono<RequestTokenAnswer> started(Caller caller, Purpose purpose, Medium medium, JsonBody body) {
        String submitUrl = medium == Medium.MSISDN ? urls.submission(caller.tenant(), medium) : null;
        return sender.send(caller, TokenRequest.of(purpose, medium, body))
                .map(sid -> new RequestTokenAnswer(sid, submitUrl));
    }

    /** @param submitUrl the URL for submitting the code of a text message, or null for a mail with a link */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RequestTokenAnswer(
            String sid,
            @JsonProperty("submit_url") @Nullable String submitUrl) {}
}
