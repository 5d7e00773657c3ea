// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonCreator.Mode;
import com.fasterxml.jackson.annotation.JsonValue;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.RoomVersion;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The values of a tenant's settings (contract.md 20). An absent setting is that of the services' configuration. */
public final class TenantSettings {
    private static final List<Setting<?>> LISTED = new ArrayList<>();

    /** Whether the tenant has presence. */
    public static final Setting<Boolean> PRESENCE = listed(Setting.flag("presence"));
    /** Whether users may schedule events. */
    public static final Setting<Boolean> DELAYED_EVENTS = listed(Setting.flag("delayed_events"));
    /** The version of rooms whose maker names none. */
    public static final Setting<String> ROOM_VERSION = listed(Setting.choice(
            "room_version",
            Stream.of(RoomVersion.values()).map(version -> version.id).toList()));
    /** The mode of registration (contract.md 3.3). */
    public static final Setting<String> REGISTRATION = listed(
            Setting.choice("registration", List.of("open", "token", "email", "token-email", "approval", "closed")));
    /** Localparts that users cannot choose. */
    public static final Setting<Pattern> RESERVED_NAMES = listed(Setting.pattern("reserved_names"));
    /** Documents to agree to at registration, as {@code rookery.auth.registration.terms}; {@code {}} for none. */
    public static final Setting<ObjectNode> TERMS = listed(Setting.document(
            "terms",
            "an object of documents such as {\"privacy\": {\"version\": \"1\", \"en\": {\"name\": \"Privacy\", \"url\": \"https://chat.example/privacy\"}}}",
            TenantSettings::areTerms));
    /** The URL at which clients and links in mails reach the tenant. */
    public static final Setting<URI> PUBLIC_URL = listed(Setting.url("public_url"));
    /** Further keys of the discovery document (contract.md 3.5). */
    public static final Setting<ObjectNode> DISCOVERY_KEYS = listed(Setting.document(
            "discovery_keys",
            "an object of keys of /.well-known/matrix/client other than m.homeserver; org.matrix.msc4143.rtc_foci is a list",
            keys -> !keys.has("m.homeserver")
                    && (!keys.has("org.matrix.msc4143.rtc_foci")
                            || keys.path("org.matrix.msc4143.rtc_foci").isArray())));
    /** The support document (contract.md 3.5). */
    public static final Setting<ObjectNode> SUPPORT = listed(Setting.document(
            "support",
            "an object with support_page or contacts as in /.well-known/matrix/support",
            TenantSettings::isSupport));
    /** Whether mails to the tenant's users are sent. */
    public static final Setting<Boolean> MAIL = listed(Setting.flag("mail"));
    /** The sender of mails, such as {@code Chat <chat@example.org>}; accepted are those that mail servers take without quoting. */
    public static final Setting<String> MAIL_FROM = listed(Setting.text(
            "mail_from",
            "a sender such as Chat <chat@example.org>, or chat@example.org",
            Pattern.compile("(?:[A-Za-z0-9 ._-]{1,100} <[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253}>"
                            + "|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,253})")
                    .asMatchPredicate()));
    /** Whether text messages to the tenant's users are sent. */
    public static final Setting<Boolean> TEXT_MESSAGES = listed(Setting.flag("text_messages"));
    /** Whether users may add and remove email addresses and phone numbers. */
    public static final Setting<Boolean> ADDRESS_CHANGES = listed(Setting.flag("address_changes"));
    /** Whether requests for tokens hide which addresses belong to accounts. */
    public static final Setting<Boolean> HIDE_KNOWN_ADDRESSES = listed(Setting.flag("hide_known_addresses"));
    /** Hosts of redirects after a validation, beside the tenant's own. */
    public static final Setting<List<String>> NEXT_LINK_HOSTS =
            listed(Setting.list("next_link_hosts", "a list of hosts such as www.example.org"));
    /** The pattern that every email address must match. */
    public static final Setting<Pattern> ALLOWED_EMAILS = listed(Setting.pattern("allowed_emails"));
    /** The pattern that no email address may match. */
    public static final Setting<Pattern> DENIED_EMAILS = listed(Setting.pattern("denied_emails"));
    /** The pattern that every phone number must match. */
    public static final Setting<Pattern> ALLOWED_PHONES = listed(Setting.pattern("allowed_phones"));
    /** The pattern that no phone number may match. */
    public static final Setting<Pattern> DENIED_PHONES = listed(Setting.pattern("denied_phones"));
    /** Whether users may create login tokens. */
    public static final Setting<Boolean> LOGIN_TOKENS = listed(Setting.flag("login_tokens"));
    /** Whether GET /login lists the flow of login tokens. */
    public static final Setting<Boolean> LOGIN_TOKENS_ADVERTISED = listed(Setting.flag("login_tokens_advertised"));
    /** Whether a request may have its access token in the query (contract.md 2.3). */
    public static final Setting<Boolean> TOKEN_IN_QUERY = listed(Setting.flag("token_in_query"));
    /** Whether the legacy endpoints of media serve without a token (contract.md 4). */
    public static final Setting<Boolean> MEDIA_WITHOUT_TOKEN = listed(Setting.flag("media_without_token"));
    /** Whether the server fetches pages for previews. */
    public static final Setting<Boolean> URL_PREVIEWS = listed(Setting.flag("url_previews"));
    /** Whether a profile is shown only to users who share a room. */
    public static final Setting<Boolean> PROFILES_NEED_SHARED_ROOM = listed(Setting.flag("profiles_need_shared_room"));
    /** Whether the list of public rooms needs a token. */
    public static final Setting<Boolean> ROOM_DIRECTORY_NEEDS_TOKEN =
            listed(Setting.flag("room_directory_needs_token"));
    /** Whether the user directory finds users with whom no room is shared. */
    public static final Setting<Boolean> USER_DIRECTORY_ALL = listed(Setting.flag("user_directory_all"));
    /** Whether app icons show the number of unread rooms instead of the number of unread events. */
    public static final Setting<Boolean> BADGE_COUNTS_ROOMS = listed(Setting.flag("badge_counts_rooms"));
    /** Hosts of push gateways to which pushes are sent; absent for all that the configuration permits. */
    public static final Setting<List<String>> PUSH_GATEWAYS =
            listed(Setting.list("push_gateways", "a list of hosts such as matrix.gateway.example"));
    /** The most active accounts. */
    public static final Setting<Long> USERS_MAX = listed(Setting.limit("max_users"));
    /** The most devices of a user. */
    public static final Setting<Long> DEVICES_MAX = listed(Setting.limit("max_devices"));
    /** The most bytes of a user's key backups. */
    public static final Setting<Long> KEY_BACKUP_BYTES_MAX = listed(Setting.limit("max_key_backup_bytes"));
    /** The most rooms. */
    public static final Setting<Long> ROOMS_MAX = listed(Setting.limit("max_rooms"));
    /** The most joined members of a room. */
    public static final Setting<Long> ROOM_MEMBERS_MAX = listed(Setting.limit("max_room_members"));
    /** The most bytes of a room's state. */
    public static final Setting<Long> STATE_BYTES_MAX = listed(Setting.limit("max_state_bytes"));
    /** The most bytes of uploaded files of all users together. */
    public static final Setting<Long> MEDIA_BYTES_MAX = listed(Setting.limit("max_media_bytes"));
    /** The most bytes of a user's uploaded files. */
    public static final Setting<Long> USER_MEDIA_BYTES_MAX = listed(Setting.limit("max_media_bytes_per_user"));
    /** The most events that users send in a day of UTC. */
    public static final Setting<Long> EVENTS_A_DAY_MAX = listed(Setting.limit("max_events_per_day"));
    /** The most requests in a second at all gateways together. */
    public static final Setting<Long> REQUESTS_MAX = listed(Setting.limit("max_requests_per_second"));
    /** The most waiting long polls at each gateway. */
    public static final Setting<Long> POLLS_MAX = listed(Setting.limit("max_polls"));
    /** The most pushes that each push-service sends in a second; further ones wait. */
    public static final Setting<Long> PUSHES_MAX = listed(Setting.limit("max_pushes_per_second"));

    /** All settings in the order of this class. */
    public static final List<Setting<?>> ALL = List.copyOf(LISTED);

    private static final Map<String, Setting<?>> BY_NAME =
            ALL.stream().collect(Collectors.toMap(Setting::name, Function.identity()));
    private static final Map<String, Setting<?>> BY_LETTERS =
            ALL.stream().collect(Collectors.toMap(setting -> letters(setting.name()), Function.identity()));

    public static final TenantSettings NONE = new TenantSettings(JsonNodeFactory.instance.objectNode());

    /**
     * In the order of {@link #ALL}. Settings and values of a later release are in here too, and stay when a setting is changed by
     * this one.
     */
    private final ObjectNode json;

    private final Map<Setting<?>, Object> values = new HashMap<>();

    private TenantSettings(ObjectNode unordered) {
        this.json = JsonNodeFactory.instance.objectNode();
        ALL.stream()
                .filter(setting -> unordered.has(setting.name()))
                .forEach(setting -> json.set(setting.name(), unordered.get(setting.name())));
        json.setAll(unordered);
        json.properties().forEach(property -> {
            var setting = BY_NAME.get(property.getKey());
            var value = setting == null ? null : setting.read(property.getValue());
            if (setting != null && value != null) {
                values.put(setting, value);
            }
        });
    }

    private static <T> Setting<T> listed(Setting<T> setting) {
        LISTED.add(setting);
        return setting;
    }

    /** The settings of a JSON object; settings and values that this release does not know are as absent. */
    @JsonCreator(mode = Mode.DELEGATING)
    public static TenantSettings of(ObjectNode json) {
        return new TenantSettings(json.deepCopy());
    }

    /**
     * The settings of a tenant in the configuration, by names in any spelling of Spring.
     *
     * @throws TenantsRefusedException for an unknown setting and for a value that the setting cannot have
     */
    static TenantSettings configured(TenantProperties.Entry entry) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put(PRESENCE.name(), entry.presence()).put(DELAYED_EVENTS.name(), entry.delayedEvents());
        configure(json, entry, ROOM_VERSION.name(), entry.roomVersion());
        entry.settings().forEach((name, text) -> configure(json, entry, name, text));
        return new TenantSettings(json);
    }

    private static void configure(ObjectNode json, TenantProperties.Entry entry, String name, String text) {
        var setting = BY_LETTERS.get(letters(name));
        if (setting == null) {
            throw new TenantsRefusedException("rookery.tenants: %s has an unknown setting '%s': name one of %s"
                    .formatted(entry.serverName(), name, ALL));
        }
        var value = setting.parsed(text);
        if (setting.read(value) == null) {
            throw new TenantsRefusedException(
                    "rookery.tenants: %s of %s is %s".formatted(setting, entry.serverName(), setting.values()));
        }
        json.set(setting.name(), value);
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** The setting with the name; empty for an unknown one. */
    public static Optional<Setting<?>> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** The value, or null if the setting is absent. */
    @SuppressWarnings("unchecked") // values have the type of their setting
    public <T> @Nullable T get(Setting<T> setting) {
        return (T) values.get(setting);
    }

    /** Whether the setting has a value that this release cannot read, because a later release has set it. */
    public boolean isUnreadable(Setting<?> setting) {
        return json.has(setting.name()) && !values.containsKey(setting);
    }

    /**
     * The settings after a change. Settings that the change does not name stay as they are; null, the empty text and the limit 0
     * remove a setting. M_INVALID_PARAM for unknown settings and for values that a setting cannot have.
     */
    public TenantSettings with(ObjectNode change) {
        var after = json.deepCopy();
        change.properties().forEach(property -> {
            var setting = BY_NAME.get(property.getKey());
            if (setting == null) {
                throw new ApiException(
                        ErrorCode.M_INVALID_PARAM,
                        "%.64s is no setting, expected one of %s".formatted(property.getKey(), ALL));
            }
            JsonNode value = property.getValue();
            if (setting.isReset(value)) {
                after.remove(setting.name());
            } else if (setting.read(value) == null) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, setting + " is " + setting.values());
            } else {
                after.set(setting.name(), value);
            }
        });
        return new TenantSettings(after);
    }

    /** The settings by their names. */
    @JsonValue
    public ObjectNode json() {
        return json.deepCopy();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TenantSettings settings && json.equals(settings.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json.toString();
    }

    private static boolean areTerms(ObjectNode terms) {
        return terms.properties().stream()
                .map(Map.Entry::getValue)
                .allMatch(document -> document.path("version").isString()
                        && document.properties().stream()
                                .filter(field -> !field.getKey().equals("version"))
                                .allMatch(text -> text.getValue().path("name").isString()
                                        && text.getValue().path("url").isString()));
    }

    private static boolean isSupport(ObjectNode support) {
        boolean hasPage = support.path("support_page").isString();
        var contacts = support.path("contacts");
        return (hasPage || !contacts.isEmpty())
                && (!support.has("support_page") || hasPage)
                && (!support.has("contacts") || contacts.isArray())
                && contacts.valueStream()
                        .allMatch(contact -> contact.path("role").isString()
                                && (contact.path("matrix_id").isString()
                                        || contact.path("email_address").isString()));
    }
}
