// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.ServerName;
import rookery.platform.tenant.RegisteredTenant;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.TenantList;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/**
 * The registry of tenants (design.md 7). Each start adds the tenants of the configuration and their hosts. Every
 * instance has the registry in memory and asks the database each second whether another instance has changed it.
 */
@Component
class TenantRegistry {
    private static final Logger log = LoggerFactory.getLogger(TenantRegistry.class);
    /** Below the timeout of the followers' requests. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final int CONFLICT = 409;

    private static final Set<State> LIVING = EnumSet.of(State.ACTIVE, State.SUSPENDED, State.DELETING);
    private static final Set<State> WITHOUT_DATA = EnumSet.of(State.ERASING, State.DELETED, State.IMPORTING);

    private final TenantRows rows;
    private final DeletionRows deletions;
    private final TransactionalOperator tx;
    private final Tenants tenants;
    private final Sinks.Many<TenantList> changes = Sinks.many().replay().latest();
    private final Sinks.Empty<Void> closing = Sinks.empty();
    private volatile @Nullable TenantList current;
    private volatile boolean isSeeded;

    TenantRegistry(TenantRows rows, DeletionRows deletions, TransactionalOperator tx, Tenants tenants) {
        this.rows = rows;
        this.deletions = deletions;
        this.tx = tx;
        this.tenants = tenants;
    }

    /** A change, and the version from which on the services have it. */
    record ChangedTenant(RegisteredTenant tenant, long version) {}

    /** Adds the tenants of the configuration that the registry does not have, and hosts of the others. */
    private Mono<TenantList> seeded(TenantList before) {
        return isSeeded || missing(before).isEmpty()
                ? Mono.just(before)
                : rows.nextVersion()
                        .then(Mono.defer(rows::all))
                        .flatMapMany(now -> Flux.fromIterable(missing(now)).concatMap(tenant -> seed(now, tenant)))
                        .then()
                        .as(tx::transactional)
                        .then(Mono.defer(rows::all));
    }

    /** The tenants of the configuration that are not in the registry, or not with all their hosts unless they are deleted. */
    private List<RegisteredTenant> missing(TenantList list) {
        return tenants.configured().stream()
                .map(TenantRegistry::withOwnHost)
                .filter(tenant -> registered(list, tenant)
                        .map(present -> present.state() != State.DELETED
                                && !Set.copyOf(present.hosts()).containsAll(tenant.hosts()))
                        .orElse(true))
                .toList();
    }

    private static Optional<RegisteredTenant> registered(TenantList list, RegisteredTenant tenant) {
        return list.tenants().stream()
                .filter(other -> other.number() == tenant.number())
                .findFirst();
    }

    private Mono<Boolean> seed(TenantList now, RegisteredTenant tenant) {
        var seeded = registered(now, tenant).isEmpty()
                ? rows.insert(tenant, null)
                : Flux.fromIterable(tenant.hosts())
                        .concatMap(host -> rows.addHost(tenant.number(), host))
                        .reduce(true, Boolean::logicalAnd);
        return seeded.doOnNext(isComplete -> warn(isComplete, tenant));
    }

    private static void warn(boolean isComplete, RegisteredTenant tenant) {
        if (!isComplete) {
            log.atWarn()
                    .addKeyValue("tenant", tenant.serverName())
                    .log("a host of the configuration leads to another tenant already, and stays there");
        }
    }

    private static RegisteredTenant withOwnHost(RegisteredTenant tenant) {
        var hosts = new LinkedHashSet<String>();
        hosts.add(TenantHosts.canonical(tenant.serverName()));
        tenant.hosts().forEach(host -> hosts.add(TenantHosts.canonical(host)));
        return new RegisteredTenant(
                tenant.number(), tenant.serverName(), List.copyOf(hosts), tenant.state(), tenant.settings());
    }

    /** The registry as last read by this instance; 503 before the first reading. */
    TenantList list() {
        var list = current;
        if (list == null) {
            throw ApiException.unavailable("the registry of tenants is not read yet, try again in a moment");
        }
        return list;
    }

    /** The registry, as soon as it has another version; the same one after a while. */
    Mono<TenantList> after(long version) {
        return Mono.defer(() -> list().version() == version ? Mono.just(list()) : refreshed())
                .flatMap(list -> list.version() != version
                        ? Mono.just(list)
                        : changes.asFlux()
                                .filter(changed -> changed.version() != version)
                                .next()
                                .takeUntilOther(closing.asMono())
                                .timeout(WAIT, Mono.empty())
                                .defaultIfEmpty(new TenantList(version, List.of())));
    }

    /** Requests that wait would delay the shutdown. */
    @EventListener
    void on(ContextClosedEvent closed) {
        closing.tryEmitEmpty();
    }

    @Scheduled(fixedDelayString = "${rookery.admin.registry-interval:1s}")
    Mono<Void> follow() {
        return Mono.defer(() -> {
                    var now = current;
                    return now == null
                            ? read()
                            : rows.version()
                                    .filter(version -> version != now.version())
                                    .flatMap(_ -> read());
                })
                .then()
                .onErrorResume(failure -> {
                    log.atWarn()
                            .addKeyValue("cause", String.valueOf(failure.getMessage()))
                            .log("the registry of tenants cannot be read, trying again");
                    return Mono.empty();
                });
    }

    private Mono<TenantList> refreshed() {
        return rows.version().flatMap(version -> {
            var now = current;
            return now != null && now.version() == version ? Mono.just(now) : read();
        });
    }

    private Mono<TenantList> read() {
        return Mono.defer(() -> {
            var before = current;
            return rows.all()
                    .flatMap(this::seeded)
                    .doOnNext(_ -> isSeeded = true) // later, operators may remove hosts of the configuration
                    .doOnNext(list -> take(list, before));
        });
    }

    /** An older reading may come later. A reading that is older than what was known before it began is of a restored database. */
    private synchronized void take(TenantList list, @Nullable TenantList before) {
        var now = current;
        boolean isRestored = before != null && list.version() < before.version();
        if (now == null || isRestored || list.version() > now.version()) {
            tenants.install(list);
            current = list;
            changes.emitNext(list, Sinks.EmitFailureHandler.FAIL_FAST);
        }
    }

    /** The tenant with that number or server name. */
    Optional<RegisteredTenant> search(String named) {
        return list().tenants().stream()
                .filter(tenant -> tenant.serverName().equalsIgnoreCase(named)
                        || Integer.toString(tenant.number()).equals(named))
                .findFirst();
    }

    /** M_NOT_FOUND. */
    RegisteredTenant byNumber(int number) {
        return list().tenants().stream()
                .filter(tenant -> tenant.number() == number)
                .findFirst()
                .orElseThrow(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no tenant " + number));
    }

    /** The tenant with that number or server name; M_NOT_FOUND. */
    RegisteredTenant find(String named) {
        return search(named).orElseThrow(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no tenant " + named));
    }

    /** The same, with 409 for a tenant whose data are being deleted, are deleted, or are not complete yet. */
    RegisteredTenant findWithData(String named) {
        var tenant = find(named);
        if (WITHOUT_DATA.contains(tenant.state())) {
            throw conflict("the tenant is in the state " + tenant.state().word());
        }
        return tenant;
    }

    /**
     * Creates a tenant. A repeated request with the same key gets the tenant of the first one.
     *
     * @param asked whose number is ignored
     * @throws ApiException 409 for a name that a tenant has or had, a host of another tenant, or a second import at a time
     */
    Mono<ChangedTenant> create(RegisteredTenant asked, @Nullable String key) {
        var name = new ServerName(asked.serverName());
        return changed(rows.creationKey(name.value())
                .flatMap(existing -> key != null && existing.equals(key)
                        ? Mono.just(name.value())
                        : Mono.error(conflict("the tenant %s is there already".formatted(name.value()))))
                .switchIfEmpty(Mono.defer(() -> rows.nextNumber()
                        .flatMap(number -> insert(number, asked, key))
                        .thenReturn(name.value()))));
    }

    private Mono<Void> insert(int number, RegisteredTenant asked, @Nullable String key) {
        var name = asked.serverName();
        var tenant = withOwnHost(new RegisteredTenant(number, name, asked.hosts(), asked.state(), asked.settings()));
        return requireOneImport(tenant.state())
                .then(rows.bind(number, name))
                .filter(isBound -> isBound)
                .switchIfEmpty(
                        Mono.error(conflict("there was a tenant %s, and its name is not given again".formatted(name))))
                .then(Mono.defer(() -> rows.insert(tenant, key)))
                .filter(isInserted -> isInserted)
                .switchIfEmpty(Mono.error(conflict("one of the hosts leads to another tenant")))
                .then();
    }

    /** Two imports would use the same positions of the logs. */
    private Mono<Void> requireOneImport(State state) {
        return state == State.IMPORTING
                ? rows.imported()
                        .flatMap(
                                name -> Mono.error(conflict("finish or delete the import of %s first".formatted(name))))
                : Mono.empty();
    }

    /** 409 for a host of another tenant, and for a deleted tenant; M_INVALID_PARAM beyond the most hosts. */
    Mono<ChangedTenant> addHost(RegisteredTenant tenant, String host) {
        if (tenant.state() == State.DELETED) {
            return Mono.error(conflict("the tenant is deleted"));
        }
        if (tenant.hosts().size() >= TenantHosts.MOST && !tenant.hosts().contains(host)) {
            return Mono.error(TenantHosts.tooMany());
        }
        return changed(rows.addHost(tenant.number(), host)
                .filter(isOwn -> isOwn)
                .switchIfEmpty(Mono.error(conflict("the host %s leads to another tenant".formatted(host))))
                .thenReturn(tenant.serverName()));
    }

    /** M_INVALID_PARAM for the server name, which stays a host; M_NOT_FOUND. */
    Mono<ChangedTenant> removeHost(RegisteredTenant tenant, String host) {
        if (host.equals(TenantHosts.canonical(tenant.serverName()))) {
            return Mono.error(
                    new ApiException(ErrorCode.M_INVALID_PARAM, "the server name is always a host of its tenant"));
        }
        return changed(rows.removeHost(tenant.number(), host)
                .filter(isRemoved -> isRemoved)
                .switchIfEmpty(Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "the tenant has no host " + host)))
                .thenReturn(tenant.serverName()));
    }

    /** Suspends or resumes a tenant, which is then not to be deleted any more. 409 once its data are being deleted. */
    Mono<ChangedTenant> setState(RegisteredTenant tenant, State state) {
        return changed(changeState(tenant, state, LIVING)
                .then(deletions.cancel(tenant.number()))
                .thenReturn(tenant.serverName()));
    }

    /**
     * Suspends a tenant and deletes it after the grace period. What an import has stored is deleted at once, since it must never be
     * served. 409 once the data are being deleted.
     */
    Mono<ChangedTenant> delete(RegisteredTenant tenant, Duration grace) {
        int number = tenant.number();
        return changed(rows.setState(number, State.ERASING, EnumSet.of(State.IMPORTING))
                .flatMap(isAbandoned -> isAbandoned
                        ? deletions.request(number, Duration.ZERO)
                        : changeState(tenant, State.DELETING, LIVING).then(deletions.request(number, grace)))
                .thenReturn(tenant.serverName()));
    }

    /** Ends the grace period; also repeats a deletion that was done. 409 for a tenant that nobody asked to delete. */
    Mono<ChangedTenant> erase(int number) {
        var tenant = byNumber(number);
        return changed(changeState(tenant, State.ERASING, EnumSet.of(State.DELETING, State.ERASING, State.DELETED))
                .then(deletions.begin(number))
                .thenReturn(tenant.serverName()));
    }

    /** The tenant's data are deleted: its hosts go, its number and name stay. */
    Mono<Void> finishErasure(int number) {
        var tenant = byNumber(number);
        return changed(changeState(tenant, State.DELETED, EnumSet.of(State.ERASING))
                        .then(rows.removeHosts(number))
                        .then(deletions.finish(number))
                        .thenReturn(tenant.serverName()))
                .then();
    }

    /** The imported tenant is served from now on. */
    Mono<ChangedTenant> finishImport(RegisteredTenant tenant) {
        return changed(changeState(tenant, State.ACTIVE, EnumSet.of(State.IMPORTING, State.ACTIVE))
                .thenReturn(tenant.serverName()));
    }

    private Mono<Void> changeState(RegisteredTenant tenant, State state, Set<State> before) {
        return rows.setState(tenant.number(), state, before)
                .filter(isChanged -> isChanged)
                .switchIfEmpty(Mono.error(
                        conflict("%s is not in one of the states %s".formatted(tenant.serverName(), words(before)))))
                .then();
    }

    private static List<String> words(Set<State> states) {
        return states.stream().map(State::word).sorted().toList();
    }

    /**
     * Applies the change to the settings in the database: this instance may know older ones. Equal settings are no change, which all
     * instances would read.
     */
    Mono<ChangedTenant> changeSettings(RegisteredTenant tenant, UnaryOperator<TenantSettings> change) {
        return rows.settings(tenant.number())
                .flatMap(before -> change.apply(before).equals(before)
                        ? refreshed().map(list -> new ChangedTenant(byNumber(tenant.number()), list.version()))
                        : setSettings(tenant, change));
    }

    private Mono<ChangedTenant> setSettings(RegisteredTenant tenant, UnaryOperator<TenantSettings> change) {
        return changed(rows.settings(tenant.number())
                .map(change)
                .flatMap(settings -> rows.setSettings(tenant.number(), settings))
                .thenReturn(tenant.serverName()));
    }

    /** Runs a change in a transaction, which locks the registry; the change returns the tenant's server name. */
    private Mono<ChangedTenant> changed(Mono<String> change) {
        return rows.nextVersion()
                .then(change)
                .as(tx::transactional)
                .flatMap(name -> read().then(Mono.fromSupplier(() -> new ChangedTenant(find(name), list().version()))));
    }

    private static ApiException conflict(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason).withStatus(CONFLICT);
    }
}
