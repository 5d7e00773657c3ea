// A user's device: matrix-js-sdk with its Rust crypto and a store that outlives a restart, as an app on a phone has them.

import "fake-indexeddb/auto";
import * as sdk from "matrix-js-sdk";
import { CryptoEvent, decodeRecoveryKey } from "matrix-js-sdk/lib/crypto-api/index.js";
import { SlidingSync } from "matrix-js-sdk/lib/sliding-sync.js";
import { countedFetch } from "./traffic.mjs";
import { check, until, within } from "./wait.mjs";

let isSliding = false;

/** Makes all devices started from now on use sliding sync. */
export function slide() {
    isSliding = true;
}

/** One list of all rooms, with their whole state and the latest 50 events. */
function slidingSync(url, client) {
    const content = { timeline_limit: 50, required_state: [["*", "*"]] };
    return new SlidingSync(url, new Map([["all", { ...content, ranges: [[0, 999]] }]]), content, client, 30000);
}

/** A user with an account: the password and the recovery key, which are on no device. */
export class User {
    recoveryKey;

    /** The traffics count the requests of the user's devices. */
    constructor(url, name, ...traffics) {
        this.url = url;
        this.name = name;
        this.password = `of-${name}-and-nobody-else`;
        this.fetch = countedFetch(...traffics);
    }

    /** Registers the account. Returns its first device, started. */
    async register(label) {
        const anonymous = sdk.createClient({ baseUrl: this.url, fetchFn: this.fetch, logger: log(label) });
        const request = { username: this.name, password: this.password, initial_device_display_name: label };
        const session = await withAuthentication(
            auth => anonymous.registerRequest({ ...request, ...(auth && { auth }) }),
            session => ({ type: "m.login.dummy", session }),
        );
        return new Device(this, label, session).start();
    }

    /** Logs in on another device. */
    async login(label) {
        const anonymous = sdk.createClient({ baseUrl: this.url, fetchFn: this.fetch, logger: log(label) });
        const session = await anonymous.loginRequest({
            type: "m.login.password",
            identifier: { type: "m.id.user", user: this.name },
            password: this.password,
            initial_device_display_name: label,
        });
        return new Device(this, label, session).start();
    }
}

export class Device {
    client;
    #store;
    /** Received verification requests that no scenario has taken yet. */
    #verifications = [];

    constructor(user, label, session) {
        this.user = user;
        this.label = label;
        this.session = session;
    }

    get id() {
        return this.session.device_id;
    }

    get userId() {
        return this.session.user_id;
    }

    get crypto() {
        return this.client.getCrypto();
    }

    /** Starts the device, with its stored data after a stop. Returns when the first sync is complete. */
    async start() {
        this.#store = new sdk.IndexedDBStore({ indexedDB, dbName: `${this.userId}/${this.id}` });
        this.client = sdk.createClient({
            baseUrl: this.user.url,
            userId: this.userId,
            deviceId: this.id,
            accessToken: this.session.access_token,
            store: this.#store,
            fetchFn: this.user.fetch,
            logger: log(this.label),
            timelineSupport: true,
            cryptoCallbacks: {
                getSecretStorageKey: async ({ keys }) => [Object.keys(keys)[0], decodeRecoveryKey(this.user.recoveryKey)],
            },
        });
        await this.#store.startup();
        await this.client.initRustCrypto({ cryptoDatabasePrefix: `crypto/${this.userId}/${this.id}` });
        this.client.on(CryptoEvent.VerificationRequestReceived, request => this.#verifications.push(request));
        const inSync = new Promise(resolve => {
            this.client.on(sdk.ClientEvent.Sync, state => state === sdk.SyncState.Prepared && resolve());
        });
        const sliding = isSliding && { slidingSync: slidingSync(this.user.url, this.client) };
        await this.client.startClient({ initialSyncLimit: 50, ...sliding });
        await within(`${this.label} is in sync`, inSync);
        return this;
    }

    /** Stops the device like a closed app; its data stay stored. */
    async stop() {
        await this.#store.save(true);
        this.client.stopClient();
        await this.#store.destroy();
    }

    authenticate = async request => {
        const password = session => ({
            type: "m.login.password",
            identifier: { type: "m.id.user", user: this.user.name },
            password: this.user.password,
            session,
        });
        await withAuthentication(request, password);
    };

    async nextVerification() {
        return until(`a request to verify reaches ${this.label}`, () => this.#verifications.shift());
    }

    /** Waits for the other device's keys, which a verification needs. */
    async knows(other) {
        await until(`${this.label} knows ${other.label}`, async () => {
            const devices = await this.crypto.getUserDeviceInfo([other.userId], true);
            return devices.get(other.userId)?.has(other.id);
        });
    }

    /** Whether this device trusts the other one through its owner's cross-signing keys. */
    async trusts(other) {
        const status = await this.crypto.getDeviceVerificationStatus(other.userId, other.id);
        return Boolean(status?.crossSigningVerified);
    }

    room(roomId) {
        return until(`${this.label} is in ${roomId}`, () => {
            const room = this.client.getRoom(roomId);
            return room?.getMyMembership() === "join" && room;
        });
    }

    async say(roomId, body) {
        await this.room(roomId);
        return (await this.client.sendTextMessage(roomId, body)).event_id;
    }

    /** The decrypted event; undefined while the device lacks the event or its key. */
    event(roomId, eventId) {
        const room = this.client.getRoom(roomId);
        // an app decrypts the timeline that it shows; by itself the SDK decrypts only the latest events
        for (const shown of room?.getLiveTimeline().getEvents() ?? []) this.client.decryptEventIfNeeded(shown);
        const event = room?.findEventById(eventId);
        const readable = event && !event.isBeingDecrypted() && !event.isDecryptionFailure() && event.getType() !== "m.room.encrypted";
        return readable ? event : undefined;
    }

    /** Waits until this device can decrypt the event. */
    async reads(roomId, eventId, body) {
        const event = await until(`${this.label} reads “${body}”`, () => this.event(roomId, eventId));
        check(event.getContent().body === body, `${this.label} reads “${event.getContent().body}” and not “${body}”`);
        return event;
    }
}

/** Sends a request without authentication, and after a 401 again with user-interactive authentication in the server's session. */
async function withAuthentication(request, authentication) {
    try {
        return await request(null);
    } catch (error) {
        if (error.httpStatus !== 401 || !error.data?.session) throw error;
        return await request(authentication(error.data.session));
    }
}

/** A logger that prefixes each line with the device; main.mjs redirects the console to a file. */
function log(label) {
    const write = (...line) => console.log(`[${label}]`, ...line);
    return {
        trace: () => {},
        debug: write,
        info: write,
        warn: write,
        error: write,
        getChild: namespace => log(`${label} ${namespace}`),
    };
}
