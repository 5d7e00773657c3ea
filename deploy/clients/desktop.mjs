// The requests of other desktop clients: Nheko 0.11 and libQuotient (Quaternion, NeoChat) use r0, empty parameters, and media without a
// token; matrix-nio before 0.21 sends its token in the URL.

import { countedFetch } from "./traffic.mjs";
import { check } from "./wait.mjs";

/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
);
const LONG_NAME = `Nheko on ${"a machine with a long name, ".repeat(10)}`;
const PASSWORD = "correct horse battery staple";

class Desktop {
    #url;
    #fetch;
    #token;

    constructor(world) {
        this.#url = world.url;
        this.#fetch = countedFetch(world.traffic, world.unheeded);
    }

    /** Sends a request to a path below /_matrix. Returns the response; fails for another status than the expected one. */
    async ask(method, path, { body, type = "application/json", token = this.#token, status = 200, query } = {}) {
        const response = await this.#fetch(`${this.#url}/_matrix${path}${query ?? ""}`, {
            method,
            headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": type }) },
            body: body && (type === "application/json" ? JSON.stringify(body) : body),
        });
        const bytes = Buffer.from(await response.arrayBuffer());
        check(response.status === status, `${method} ${path} answered ${response.status}: ${bytes.subarray(0, 300)}`);
        return { response, bytes, json: response.headers.get("Content-Type")?.includes("json") ? JSON.parse(bytes) : null };
    }

    /** Registers, and logs in as these clients do: with the localpart in `user`, and a device name. */
    async logIn(name) {
        const wish = { username: name, password: PASSWORD, inhibit_login: true };
        const { json } = await this.ask("POST", "/client/r0/register", { body: wish, status: 401 });
        const auth = { type: "m.login.dummy", session: json.session };
        await this.ask("POST", "/client/r0/register", { body: { ...wish, auth } });
        const login = { type: "m.login.password", user: name, password: PASSWORD, initial_device_display_name: LONG_NAME };
        const session = (await this.ask("POST", "/client/r0/login", { body: login })).json;
        this.#token = session.access_token;
        return session;
    }

    get token() {
        return this.#token;
    }
}

/** Logs in, syncs with a saved filter, reads back with an empty `from`, and shows a picture without a token. */
async function nheko(world) {
    const client = new Desktop(world);
    const session = await client.logIn(`nheko-${Date.now().toString(36)}`);
    const { devices } = (await client.ask("GET", "/client/r0/devices")).json;
    check(devices.every(({ display_name: name }) => name), "each device has a name");
    const user = encodeURIComponent(session.user_id);
    const filter = { room: { state: { lazy_load_members: true, include_redundant_members: false }, timeline: { limit: 50 } } };
    const { filter_id: id } = (await client.ask("POST", `/client/r0/user/${user}/filter`, { body: filter })).json;
    const room = (await client.ask("POST", "/client/r0/createRoom", { body: { preset: "private_chat" } })).json.room_id;
    const path = `/client/r0/rooms/${encodeURIComponent(room)}`;
    await client.ask("PUT", `${path}/send/m.room.message/m1`, { body: { msgtype: "m.text", body: "hello" } });
    const first = (await client.ask("GET", "/client/r0/sync", { query: `?filter=${id}&timeout=0` })).json;
    check(first.rooms.join[room].timeline.events.some(({ content }) => content.body === "hello"), "the message is in the first sync");
    await client.ask("GET", "/client/r0/sync", { query: `?filter=${id}&since=${first.next_batch}&timeout=0&set_presence=online` });
    const page = (await client.ask("GET", `${path}/messages`, { query: "?from=&dir=b&limit=30" })).json;
    check(page.chunk[0].content.body === "hello", "an empty from begins at the newest event");

    const { content_uri: uri } = (await client.ask("POST", "/media/r0/upload", { body: PIXEL, type: "image/png", query: "?filename=p.png" })).json;
    const file = uri.slice("mxc://".length);
    await picture(client, `/media/r0/download/${file}`, "");
    await picture(client, `/media/r0/thumbnail/${file}`, "?width=32&height=32&method=crop");
    await client.ask("POST", `${path}/read_markers`, { body: { "m.fully_read": page.chunk[0].event_id, "m.read": page.chunk[0].event_id } });
    await client.ask("PUT", `${path}/typing/${user}`, { body: { typing: true, timeout: 5000 } });
    await client.ask("GET", "/client/r0/pushrules/");
    await client.ask("POST", "/client/r0/logout", { body: {} });
}

/** As libQuotient: an inline filter, full members, tags and account data under r0, pictures under v3. */
async function quotient(world) {
    const client = new Desktop(world);
    const session = await client.logIn(`quotient-${Date.now().toString(36)}`);
    const user = encodeURIComponent(session.user_id);
    await client.ask("GET", "/client/versions", { token: null });
    await client.ask("GET", "/client/r0/capabilities");
    const filter = encodeURIComponent(JSON.stringify({ room: { state: { lazy_load_members: true } } }));
    const alias = `quotient-${Date.now().toString(36)}`;
    const body = { preset: "public_chat", room_alias_name: alias, creation_content: { "m.federate": false } };
    const room = (await client.ask("POST", "/client/r0/createRoom", { body })).json.room_id;
    const path = `/client/r0/rooms/${encodeURIComponent(room)}`;
    const sync = (await client.ask("GET", "/client/r0/sync", { query: `?filter=${filter}&timeout=0&since=` })).json;
    check(sync.rooms.join[room], "the room is in the sync");
    const { chunk } = (await client.ask("GET", `${path}/members`, { query: `?at=${sync.next_batch}&membership=join&not_membership=` })).json;
    check(chunk.length === 1, "the members are those of the room");
    await client.ask("PUT", `/client/r0/user/${user}/rooms/${encodeURIComponent(room)}/tags/m.favourite`, { body: { order: 0.5 } });
    await client.ask("PUT", `/client/r0/user/${user}/account_data/m.direct`, { body: {} });
    const { content_uri: uri } = (await client.ask("POST", "/media/v3/upload", { body: PIXEL, type: "image/png" })).json;
    await client.ask("PUT", `/client/r0/profile/${user}/avatar_url`, { body: { avatar_url: uri } });
    await picture(client, `/media/v3/thumbnail/${uri.slice("mxc://".length)}`, "?width=64&height=64&method=scale");
    await client.ask("GET", `/client/r0/directory/room/${encodeURIComponent(`#${alias}:${session.user_id.split(":")[1]}`)}`, { token: null });
}

/** The token in the address, where that is switched on. */
async function nio(world) {
    const client = new Desktop(world);
    await client.logIn(`nio-${Date.now().toString(36)}`);
    const query = `?timeout=0&access_token=${client.token}`;
    const { response } = await client.ask("GET", "/client/r0/sync", { query, token: null }).catch(error => {
        throw Object.assign(error, { skip: /M_MISSING_TOKEN/.test(error.message) });
    });
    check(response.status === 200, "the token in the address counts");
}

async function picture(client, path, query) {
    const { bytes, response } = await client.ask("GET", path, { query, token: null }).catch(error => {
        throw Object.assign(error, { skip: /404/.test(error.message) }); // the switch is off at a server that was named
    });
    check(response.headers.get("Content-Type") === "image/png" && bytes.length > 0, `${path} is the picture`);
}

export const desktopScenarios = [
    { name: "ask as Nheko does", needs: [], play: nheko },
    { name: "ask as libQuotient does", needs: [], play: quotient },
    { name: "ask with the token in the address, as matrix-nio did", needs: [], play: nio },
];
