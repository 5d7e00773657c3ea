// SPDX-License-Identifier: Apache-2.0
package rookery.auth.administration;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.administration.AccountList.AccountQuery;
import rookery.auth.administration.AccountList.AccountRow;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceName;

/** Lists of accounts for admin-service, which has checked the caller's permissions. */
@RestController
class AccountListApi {
    private final AccountList accounts;

    AccountListApi(AccountList accounts) {
        this.accounts = accounts;
    }

    /** Lines in the format of {@link ListLines}. M_INVALID_PARAM for an unknown order, and for a key that the order cannot read. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/users")
    Flux<byte[]> list(@RequestBody ListRequest request) {
        var order = AccountOrder.of(request.order);
        var total = accounts.count(request.query).cache();
        return ListLines.write(
                total,
                total.flatMap(number -> request.place(accounts, order, number)),
                request.limit,
                (key, most) -> total.flatMap(number -> accounts.after(request.query, order, key, most, number)),
                order::key);
    }

    /** The account, also a deactivated one; M_NOT_FOUND. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/user")
    Mono<AccountRow> one(@RequestBody AccountRequest account) {
        var query = new AccountQuery(account.tenant, null, null, null, null, null, null, account.user);
        return accounts.after(query, AccountOrder.of(null), "", 1, 1)
                .filter(rows -> !rows.isEmpty())
                .map(rows -> rows.getFirst())
                .switchIfEmpty(Mono.error(Account::unknown));
    }

    /**
     * The request for a list.
     *
     * @param order null for the order of user IDs
     * @param after the key of the last account of the page before; empty for the first page
     * @param limit null for all
     * @param skip the number of accounts to skip, instead of {@code after}
     */
    record ListRequest(
            @JsonProperty("asked") AccountQuery query,
            @Nullable ListOrder order,
            String after,
            @Nullable Integer limit,
            @Nullable Integer skip) {
        Mono<String> place(AccountList accounts, AccountOrder order, long total) {
            return skip == null || skip < 1
                    ? Mono.just(order.requireKey(after))
                    : accounts.place(query, order, skip, total);
        }
    }

    record AccountRequest(TenantId tenant, UserId user) {}
}
