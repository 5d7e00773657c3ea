// A user's device: matrix-js-sdk with its Rust crypto and a store that outlives a restart, as an app on a phone has them.

import "fake-indexeddb/auto";
import * as sdk from "matrix-js-sdk";
import { CryptoEvent, decodeRecoveryKey } from "matrix-js-sdk/lib/crypto-api/index.js";
import { countedFetch } from "./traffic.mjs";
import { check, until, within } from "./wait.mjs";

/** A person with an account: what stands on paper or in the head, not on a device. */
export class User {
    recoveryKey;

    /** The traffics count what the user's devices ask for. */
    constructor(url, name, ...traffics) {
        this.url = url;
        this.name = name;
        this.password = `of-${name}-and-nobody-else`;
        this.fetch = countedFetch(...traffics);
    }

    /** Registers the account, and answers its first device, at work. */
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
    /** Requests to verify that came in and nobody has taken yet. */
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

    /** Starts, or starts again with what it had stored, and is in sync when it returns. */
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
        await this.client.startClient({ initialSyncLimit: 50 });
        await within(`${this.label} is in sync`, inSync);
        return this;
    }

    /** Stops as an app does that is closed, with everything stored. */
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

    /** Waits until this device has the keys of the other one, as it must before the two can verify each other. */
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

    /** The event as this device has it, decrypted; undefined while it does not have it or cannot read it. */
    event(roomId, eventId) {
        const event = this.client.getRoom(roomId)?.findEventById(eventId);
        const readable = event && !event.isBeingDecrypted() && !event.isDecryptionFailure() && event.getType() !== "m.room.encrypted";
        return readable ? event : undefined;
    }

    /** Waits until this device can read what the event says. */
    async reads(roomId, eventId, body) {
        const event = await until(`${this.label} reads “${body}”`, () => this.event(roomId, eventId));
        check(event.getContent().body === body, `${this.label} reads “${event.getContent().body}” and not “${body}”`);
        return event;
    }
}

/** Makes a request that may need user-interactive authentication: without, and if so again with the session that the server answers. */
async function withAuthentication(request, authentication) {
    try {
        return await request(null);
    } catch (error) {
        if (error.httpStatus !== 401 || !error.data?.session) throw error;
        return await request(authentication(error.data.session));
    }
}

/** A logger that says of each line which device it is from; main.mjs sends the console into a file. */
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
