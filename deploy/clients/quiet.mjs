// An idle user with an encrypted room and an open app: counts the app's requests.

import { User } from "./device.mjs";
import { Traffic } from "./traffic.mjs";
import { check, sleep } from "./wait.mjs";

/** Expected errors: missing data, a registration without authentication, and endpoints of proposals. */
const EXPECTED = /account_data|room_keys\/version 404|register 401|\/unstable\//;

export class QuietClient {
    #traffic = new Traffic();
    #minute;
    #until;

    /** Registers and makes the room; counted, as the requests of a new app. */
    async begin(world, seconds) {
        const begun = Date.now();
        const eve = await new User(world.url, `eve-${begun.toString(36)}`, this.#traffic, world.unheeded).register("eve");
        world.closing.push(eve);
        const { room_id: roomId } = await eve.client.createRoom({
            initial_state: [{ type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } }],
        });
        await eve.say(roomId, "nobody hears me");
        this.#minute = sleep(60_000 - (Date.now() - begun)).then(() => this.#figures());
        this.#until = begun + seconds * 1000;
    }

    /** Waits for the end. Returns the lines to print. */
    async end() {
        const minute = await this.#minute;
        await sleep(Math.max(0, this.#until - Date.now()));
        const all = this.#figures();
        const failed = all.lines.filter(line => /( [45]\d\d| no answer)$/.test(line) && !EXPECTED.test(line));
        const lines = [`in its first minute ${minute.total} requests:`, ...minute.lines, `in all of the time ${all.total}:`, ...all.lines];
        check(failed.length === 0, ["some failed:", ...failed, ...lines].join("\n"));
        return lines;
    }

    #figures() {
        return { total: this.#traffic.total, lines: this.#traffic.lines };
    }
}
