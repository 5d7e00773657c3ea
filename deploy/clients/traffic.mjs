// Counts requests by endpoint and status, and records each endpoint that the server does not know.

/** Variable parts of paths, and their placeholders in an endpoint's name. */
const VARIABLES = [
    [/^\/_matrix\/client/, ""],
    [/\/(profile|user|presence|keys\/query)\/[^/]+/, "/$1/{userId}"],
    [/\/rooms\/[^/]+/, "/rooms/{roomId}"],
    [/\/join\/[^/]+/, "/join/{roomId}"],
    [/\/filter\/[^/]+$/, "/filter/{filterId}"],
    [/\/devices\/[^/]+/, "/devices/{deviceId}"],
    [/\/room_keys\/version\/[^/]+/, "/room_keys/version/{version}"],
    [/\/room_keys\/keys\/[^/]+\/[^/]+/, "/room_keys/keys/{roomId}/{sessionId}"],
    [/\/(send|sendToDevice)\/([^/]+)\/[^/]+$/, "/$1/$2/{txnId}"],
    [/\/redact\/.+$/, "/redact/{eventId}/{txnId}"],
    [/\/(event|context|relations)\/[^/]+/, "/$1/{eventId}"],
    [/\/receipt\/([^/]+)\/[^/]+/, "/receipt/$1/{eventId}"],
    [/\/typing\/[^/]+/, "/typing/{userId}"],
    [/m\.secret_storage\.key\.[^/]+/, "m.secret_storage.key.{keyId}"],
    [/\/(download|thumbnail)\/.+$/, "/$1/{mediaId}"],
];

/** Optional endpoints: those of proposals. */
const OPTIONAL = [/\/unstable\//];

function endpoint(path) {
    return VARIABLES.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), decodeURIComponent(path));
}

/** A replacement of fetch for clients that counts every request in each traffic. */
export function countedFetch(...traffics) {
    return async (resource, options = {}) => {
        const url = new URL(resource.url ?? resource);
        const method = options.method ?? "GET";
        let status = "no answer";
        let error;
        try {
            const response = await fetch(resource, options);
            status = response.status;
            if (status === 404 || status === 405) {
                error = (await response.clone().json().catch(() => ({}))).errcode;
            }
            return response;
        } finally {
            for (const traffic of traffics) traffic.count(method, url.pathname, status, error);
        }
    };
}

export class Traffic {
    #counts = new Map();
    #unknown = new Map();

    count(method, path, status, error) {
        const key = `${method} ${endpoint(path)} ${status}`;
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
        if (error === "M_UNRECOGNIZED") this.#unknown.set(`${method} ${path}`, endpoint(path));
    }

    get total() {
        return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    }

    /** Lines such as "   12 GET /v3/sync 200", the most frequent first. */
    get lines() {
        return [...this.#counts]
            .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
            .map(([key, count]) => `${String(count).padStart(6)} ${key}`);
    }

    /** The requests with the response M_UNRECOGNIZED: {request, optional}. */
    get unknown() {
        return [...this.#unknown].map(([request, name]) => ({ request, optional: OPTIONAL.some(o => o.test(name)) }));
    }

    /** Resets the counts; unknown endpoints stay. */
    clear() {
        this.#counts.clear();
    }
}
