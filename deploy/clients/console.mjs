// The console in Chromium: every page in two sizes and two colour schemes, with hostile names, checked by axe; and the script of the lists.

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { chromium } from "./browser.mjs";
import { check, until } from "./wait.mjs";

const FILL = "console: make an administrator, people, rooms, reports and files";

export const consoleScenarios = [
    { name: FILL, needs: [], play: fill },
    { name: "console: every page, large and small, light and dark", needs: [FILL], play: everyPage },
    { name: "console: every page of operators, large and small, light and dark", needs: [FILL], play: everyPageOfOperators },
    { name: "console: the list follows the typing, by keyboard alone", needs: [FILL], play: typing },
];

const PASSWORD = "a long Password of nobody 17";
const HOSTILE = ["<script>alert(1)</script>", "\u202egnp.exe", "😀".repeat(60), "x".repeat(250), "العربية שלום", "'\"><img src=x onerror=alert(1)>"];
const SIZES = { large: { width: 1280, height: 900 }, small: { width: 390, height: 844, isMobile: true, hasTouch: true } };
const BYTES_MAX = 150_000;
// WCAG 2.2 A and AA and axe's best practices.
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

class User {
    constructor(url, answer) {
        this.url = url;
        this.id = answer.user_id;
        this.token = answer.access_token;
    }

    async call(method, path, body, type = "application/json") {
        const answer = await fetch(this.url + path, {
            method,
            headers: { Authorization: `Bearer ${this.token}`, "Content-Type": type },
            body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        });
        const json = await answer.json();
        check(answer.ok, `${method} ${path} -> ${answer.status} ${JSON.stringify(json)}`);
        return json;
    }
}

async function register(url, name) {
    const answer = await fetch(`${url}/_matrix/client/v3/register`, {
        method: "POST",
        body: JSON.stringify({ username: name, password: PASSWORD, auth: { type: "m.login.dummy" } }),
    });
    check(answer.ok, `register ${name} -> ${answer.status}`);
    return new User(url, await answer.json());
}

/** Runs deploy/admin create-admin on the data folder of the server. */
function createAdministrator(data, name) {
    return new Promise((resolve, reject) => {
        const program = fileURLToPath(new URL("../admin", import.meta.url));
        const admin = spawn(program, ["create-admin", name, "--data", data], { stdio: ["pipe", "ignore", "pipe"] });
        admin.on("exit", code => (code ? reject(new Error(`deploy/admin create-admin ended with ${code}`)) : resolve()));
        admin.stdin.end(`${PASSWORD}\n`);
    });
}

async function fill(world) {
    if (!world.data) throw Object.assign(new Error("the data folder of the server is not known: name it with --data"), { skip: true });
    const run = Date.now().toString(36);
    world.admin = `root-${run}`;
    await createAdministrator(world.data, world.admin);
    const people = [];
    for (let i = 0; i < 60; i++) people.push(await register(world.url, `person-${run}-${i}`));
    for (const [i, name] of HOSTILE.entries()) {
        const { id } = people[i];
        await people[i].call("PUT", `/_matrix/client/v3/profile/${encodeURIComponent(id)}/displayname`, { displayname: name });
        const { room_id: room } = await people[i].call("POST", "/_matrix/client/v3/createRoom", { name, topic: name, preset: "public_chat" });
        const sent = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/1`;
        const { event_id: event } = await people[i].call("PUT", sent, { msgtype: "m.text", body: name });
        await people[0].call("POST", `/_matrix/client/v3/join/${encodeURIComponent(room)}`, {});
        await people[0].call("POST", `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/report/${encodeURIComponent(event)}`, { reason: name });
        await people[i].call("POST", `/_matrix/media/v3/upload?filename=${encodeURIComponent(name)}`, "a file", "text/plain");
    }
    world.person = people[1].id;
}

async function open(world, size, scheme) {
    if (!world.chromium) {
        world.chromium = await puppeteer.launch({ executablePath: chromium(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
        world.closing.push({ stop: () => world.chromium.close() });
    }
    const context = await world.chromium.createBrowserContext();
    const page = await context.newPage();
    page.complaints = [];
    page.on("console", message => {
        // the answer to a page that is not there is a refusal, not a fault
        if (message.type() === "error" && !/status of 404/.test(message.text())) page.complaints.push(message.text());
    });
    page.on("pageerror", error => page.complaints.push(error.message));
    page.on("dialog", dialog => page.complaints.push(`a script of a person ran: ${dialog.message()}`) && dialog.dismiss());
    await page.setViewport(SIZES[size]);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    page.at = path => `${world.url}/_rookery/console${path}`;
    return page;
}

async function signIn(page, world) {
    await page.type("#user", world.admin);
    await page.type("#password", PASSWORD);
    await press(page, "button.main");
}

/** Checks the page that is shown; returns its size in bytes and its time in ms. */
async function checked(page, name, world) {
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth);
    check(wide <= 0, `${name} is ${wide} pixels too wide`);
    check((await page.$$eval("h1", all => all.length)) === 1, `${name} has no heading`);
    // axe is put in by the debugger, which the Content-Security-Policy does not concern
    await page.evaluate(`${axe}; undefined`);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 150)).join(" | ")}`);
    check(found.length === 0, `${name}: axe finds\n${found.join("\n")}`);
    check(page.complaints.length === 0, `${name}: ${page.complaints.join("\n")}`);
    await page.screenshot({ path: `${world.target}/console-${name}.png`, fullPage: true });
    return page.evaluate(() => {
        const entries = [performance.getEntriesByType("navigation")[0], ...performance.getEntriesByType("resource")];
        return { bytes: entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0), ms: entries[0].responseEnd };
    });
}

/** Plays a tour in both sizes and colour schemes; `see` checks a page. */
async function tour(world, prefix, visit) {
    let most = { bytes: 0, ms: 0 };
    let pages = 0;
    for (const size of Object.keys(SIZES)) {
        for (const scheme of ["light", "dark"]) {
            const page = await open(world, size, scheme);
            const see = async (title, path) => {
                if (path) await page.goto(page.at(path));
                const { bytes, ms } = await checked(page, `${prefix}${title}-${size}-${scheme}`, world);
                check(bytes <= BYTES_MAX, `${title} has ${bytes} bytes`);
                most = { bytes: Math.max(most.bytes, bytes), ms: Math.max(most.ms, ms) };
                pages++;
            };
            await visit(page, see);
            await page.close();
        }
    }
    return [`${pages} pages without a finding of axe; the largest ${most.bytes} bytes with style and script, the slowest ${most.ms.toFixed(0)} ms`];
}

async function press(page, selector) {
    await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

async function everyPageOfOperators(world) {
    const properties = await readFile(`${world.data}/config/admin-service-1.properties`, "utf8");
    const setting = name => new RegExp(`^rookery\\.admin\\.operator\\.${name}=(.*)$`, "m").exec(properties)[1];
    return tour(world, "operator-", async (page, see) => {
        page.at = path => `http://127.0.0.1:${setting("port")}/_rookery/console${path}`;
        await see("sign-in", "/sign-in");
        await page.type("#token", setting("token"));
        await press(page, "button.main");
        await see("tenants");
        await page.type("#server_name", `house-${Math.random().toString(36).slice(2)}.example`);
        await press(page, "section button.main");
        await see("tenant-invited");
        await press(page, "main a");
        await see("tenant");
        const tenant = new URL(page.url()).pathname.replace("/_rookery/console", "");
        for (const act of ["suspend", "delete"]) await see(`tenant-${act}`, `${tenant}/${act}`);
        await press(page, "button.danger");
        await see("tenant-deleting");
        await see("tenant-erase", `${tenant}/erase`);
        await see("operators", "/operators");
        await see("health", "/health");
        await see("jobs", "/jobs");
        await see("refusal", "/tenants/nobody.example");
    });
}

async function everyPage(world) {
    const person = encodeURIComponent(world.person);
    return tour(world, "", async (page, see) => {
        await see("sign-in", "/overview");
        await signIn(page, world);
        await see("overview");
        for (const list of ["users", "rooms", "reports", "media", "tokens", "settings", "rate-limits", "audit", "purges"]) await see(list, `/${list}`);
        await see("users-sorted", "/users?order_by=created_at&dir=b");
        await see("user", `/users/${person}`);
        for (const act of ["block", "deactivate", "password", "promote", "redact"]) await see(`user-${act}`, `/users/${person}/${act}`);
        for (const [list, title, act] of [["rooms", "room", "purge"], ["rooms", "room", "ban"], ["rooms", "room", "members"], ["rooms", "room", "messages"], ["reports", "report"], ["media", "file"]]) {
            await page.goto(page.at(`/${list}`));
            await press(page, "#list tbody a");
            await see(title);
            if (act) await see(`room-${act}`, `${new URL(page.url()).pathname.replace("/_rookery/console", "")}/${act}`);
        }
        await page.goto(page.at("/tokens"));
        await press(page, "form.fields button");
        await see("token-made");
        await see("refusal", "/nothing");
    });
}

async function typing(world) {
    const page = await open(world, "large", "light");
    await page.goto(page.at("/users"));
    await signIn(page, world);
    await page.keyboard.press("Tab");
    check((await page.evaluate(() => document.activeElement.className)) === "skip", "the first stop is the link to the content");
    const before = await page.$$eval("#list tbody tr", rows => rows.length);
    for (let i = 0; i < 30 && (await page.evaluate(() => document.activeElement.id)) !== "search"; i++) await page.keyboard.press("Tab");
    await page.keyboard.type(world.person.slice(1, world.person.indexOf(":")));
    await until("one person is listed", async () => (await page.$$eval("#list tbody tr", rows => rows.length)) < before);
    check((await page.evaluate(() => document.activeElement.id)) === "search", "the field keeps the focus");
    check(page.url().includes("search="), "the address names the search");
    check(page.complaints.length === 0, page.complaints.join("\n"));
}
