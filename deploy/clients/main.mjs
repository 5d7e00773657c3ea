// Plays the scenarios one after the other and prints a line for each; run starts it.

import { createWriteStream, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, formatWithOptions } from "node:util";

const target = fileURLToPath(new URL("./target", import.meta.url));
mkdirSync(target, { recursive: true });
const print = line => process.stdout.write(`${line}\n`);

// The SDK and its WebAssembly log to the console, which is redirected to a file before they are loaded.
const log = createWriteStream(`${target}/clients.log`);
for (const level of ["debug", "log", "info", "warn", "error", "trace"]) {
    console[level] = (...line) => log.write(`${new Date().toISOString()} ${level} ${formatWithOptions({ depth: 4 }, ...line)}\n`);
}
const late = [];
process.on("unhandledRejection", error => {
    console.error("a promise that nobody waited for failed:", error);
    late.push(error);
});

const { bePatient } = await import("./wait.mjs");
const { slide } = await import("./device.mjs");
const { Traffic } = await import("./traffic.mjs");
const { QuietClient } = await import("./quiet.mjs");
const { startServer } = await import("./server.mjs");
const { scenarios } = await import("./scenarios.mjs");
const { browserScenarios } = await import("./browser.mjs");
const { consoleScenarios } = await import("./console.mjs");
const { desktopScenarios } = await import("./desktop.mjs");

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        only: { type: "string" },
        quiet: { type: "string", default: "300" },
        port: { type: "string", default: "8018" },
        patience: { type: "string", default: "1" },
        data: { type: "string" },
        sliding: { type: "boolean", default: false },
    },
});
bePatient(Number(options.patience));
if (options.sliding) slide();
const requests = createWriteStream(`${target}/requests.txt`);
const QUIET = "do nothing";
const outcomes = { ok: 0, skipped: 0, FAILED: 0 };
const worked = new Set();

function report(outcome, name, seconds, count, notes = []) {
    outcomes[outcome]++;
    print(`${outcome.padEnd(7)} ${seconds.toFixed(1).padStart(6)} s ${String(count).padStart(5)} requests  ${name}`);
    for (const note of notes) print(`        ${note}`);
}

/** Plays a scenario, which may return lines to print. An exception fails the scenario, except for an error with the property `skip`. */
async function play({ name, needs = [], play }, world) {
    const missing = needs.find(need => !worked.has(need));
    const begun = Date.now();
    world.traffic.clear();
    let outcome = "ok";
    let notes;
    try {
        if (missing) throw Object.assign(new Error(`it needs: ${missing}`), { skip: true });
        notes = await play(world);
        worked.add(name);
    } catch (error) {
        outcome = error.skip ? "skipped" : "FAILED";
        notes = error.message.split("\n");
        console.error(name, error);
    }
    report(outcome, name, (Date.now() - begun) / 1000, world.traffic.total, notes);
    requests.write([`${outcome}: ${name}`, ...world.traffic.lines, "", ""].join("\n"));
}

function isNamed(name) {
    return !options.only || options.only.split(",").some(word => name.includes(word));
}

/** The scenarios to play: all, or those of --only with their prerequisites. */
function selected(all) {
    if (!options.only) return all;
    const names = new Set();
    const add = scenario => {
        names.add(scenario.name);
        for (const need of scenario.needs) add(all.find(({ name }) => name === need));
    };
    all.filter(({ name }) => isNamed(name)).forEach(add);
    if (names.size === 0 && !isNamed(QUIET)) throw new Error(`no scenario is named like ${options.only}`);
    return all.filter(({ name }) => names.has(name));
}

async function playAll({ url, data }) {
    // `traffic` counts the current scenario; of `unheeded` only the unknown endpoints are reported.
    const world = { url, data, target, closing: [], traffic: new Traffic(), unheeded: new Traffic() };
    const seconds = Number(options.quiet);
    const quiet = seconds > 0 && isNamed(QUIET) && new QuietClient();
    try {
        if (quiet) await quiet.begin(world, seconds);
        for (const scenario of selected([...scenarios, ...desktopScenarios, ...browserScenarios, ...consoleScenarios])) await play(scenario, world);
        if (quiet) await play({ name: QUIET, play: () => quiet.end() }, world);
        await play({ name: "find every endpoint that was asked for", play: () => missingEndpoints(world) }, world);
    } finally {
        for (const closable of world.closing) await closable.stop().catch(error => console.error(error));
    }
}

function missingEndpoints({ traffic, unheeded }) {
    const unknown = [...traffic.unknown, ...unheeded.unknown];
    const lines = [...new Set(unknown.map(({ request, optional }) => `${optional ? "optional" : "MISSING "} ${request}`))].sort();
    if (unknown.some(({ optional }) => !optional)) throw new Error(["answered M_UNRECOGNIZED:", ...lines].join("\n"));
    return lines.length ? ["answered M_UNRECOGNIZED, and rightly so:", ...lines] : [];
}

let server;
try {
    if (!positionals[0]) print("starting a server; the first time it is built, which takes minutes");
    server = positionals[0] ? { url: positionals[0].replace(/\/$/, ""), data: options.data, stop: async () => {} } : await startServer(target, options.port);
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.stop().finally(() => process.exit(130)));
    await fetch(`${server.url}/_matrix/client/versions`).catch(({ cause }) => {
        throw new Error(`no server at ${server.url}: ${cause?.message}`);
    });
    await playAll(server);
} catch (error) {
    print(`FAILED  ${error.message}`);
    outcomes.FAILED++;
} finally {
    await server?.stop();
}
if (late.length) print(`${late.length} promises that nobody waited for failed, see target/clients.log`);
print(`${outcomes.ok} passed, ${outcomes.FAILED} failed, ${outcomes.skipped} skipped`);
process.exit(outcomes.FAILED ? 1 : 0);
