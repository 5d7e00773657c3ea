// A separate Rookery with a new data folder, for the time of the scenarios.

import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { check, until } from "./wait.mjs";

/** Starts deploy/run. Returns {url, data, stop} when it is ready; the first start builds Rookery, which takes minutes. */
export async function startServer(folder, port) {
    const log = openSync(`${folder}/server.log`, "w");
    const options = ["--data", `${folder}/data`, "--fresh", "--port", String(port), "--max-requests", "100000"];
    // The two settings for older clients, see deploy/docs/clients.md.
    const env = { ...process.env, ROOKERY_ROOM_MEDIA_SERVESWITHOUTTOKEN: "true", ROOKERY_ACCESSTOKEN_INQUERY: "true" };
    const server = spawn(fileURLToPath(new URL("../run", import.meta.url)), options, { env, stdio: ["ignore", log, log] });
    let ended = false;
    server.on("exit", () => (ended = true));
    const stop = async () => {
        if (!ended) server.kill("SIGTERM");
        await until("the server stops", () => ended, 60);
    };
    const url = `http://localhost:${port}`;
    try {
        await until(`deploy/run is ready, see ${folder}/server.log`, async () => {
            if (ended) return true;
            return /^ready /m.test(await readFile(`${folder}/server.log`, "utf8"));
        }, 1200);
        check(!ended, `deploy/run ended, see ${folder}/server.log`);
    } catch (error) {
        await stop();
        throw error;
    }
    return { url, data: `${folder}/data`, stop };
}
