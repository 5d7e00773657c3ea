// Two users in Chromium, each with the page of page/ in a separate browser profile.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import puppeteer from "puppeteer-core";
import { check, until } from "./wait.mjs";

export const browserScenarios = [
    { name: "browser: register two people", needs: [], play: openPages },
    { name: "browser: talk in an encrypted room, react and edit", needs: ["browser: register two people"], play: talk },
    {
        name: "browser: send a picture, see its thumbnail",
        needs: ["browser: talk in an encrypted room, react and edit"],
        play: sendPicture,
    },
    { name: "browser: reload, and everything is still there", needs: ["browser: talk in an encrypted room, react and edit"], play: reload },
];

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** The program; without one, an error that skips the scenario. */
export function chromium() {
    const program = process.env.CHROMIUM ?? PROGRAMS.find(existsSync);
    if (!program) throw Object.assign(new Error("no Chromium is installed; CHROMIUM may name the program"), { skip: true });
    return program;
}

class Person {
    constructor(name, page) {
        this.name = name;
        this.page = page;
    }

    get state() {
        return this.page.$eval("#state", element => element.textContent);
    }

    /** Waits for a line of the timeline that satisfies the function, which runs in the page with a description of the line. */
    sees(what, matches) {
        return until(`${this.name} sees ${what}`, async () => {
            const lines = await this.lines();
            return lines.find(matches);
        });
    }

    lines() {
        return this.page.$$eval("#timeline li", items =>
            items.map(item => ({
                event: item.dataset.event,
                body: item.querySelector(".body").textContent,
                notes: [...item.querySelectorAll(".note")].map(note => note.textContent),
                reactions: [...item.querySelectorAll(".reaction")].map(reaction => reaction.textContent),
                width: item.querySelector("img")?.naturalWidth ?? 0,
            })),
        );
    }

    async type(field, text, button) {
        await this.page.$eval(field, element => (element.value = ""));
        await this.page.type(field, text);
        await this.page.click(button);
    }

    /** Clicks the button in the line of the event. */
    async click(event, button) {
        await this.page.$eval(`[data-event="${event}"] .${button}`, element => element.click());
    }

    picture(world, moment) {
        return this.page.screenshot({ path: `${world.target}/${this.name}-${moment}.png` });
    }
}

async function openPages(world) {
    const program = chromium();
    const pages = await servePages();
    world.closing.push(pages);
    const browser = await puppeteer.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    world.closing.push({ stop: () => browser.close() });
    world.people = [];
    for (const name of ["ann", "bob"]) {
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        listen(page, name, world.traffic);
        await page.goto(`${pages.url}/?server=${encodeURIComponent(world.url)}`);
        const person = new Person(name, page);
        await page.type("#name", `${name}-${Date.now().toString(36)}`);
        await person.type("#password", `of-${name}-and-nobody-else`, "#register");
        await until(`${name} is in sync`, async () => (await person.state).startsWith("in sync")).catch(async error => {
            throw new Error(`${error.message}; the page says: ${await person.state}`);
        });
        person.userId = (await person.state).replace("in sync as ", "");
        world.people.push(person);
    }
}

/** Counts the page's requests, and keeps its console output. */
function listen(page, name, traffic) {
    page.on("console", message => console.log(`[${name}] ${message.text()}`));
    page.on("pageerror", error => console.error(`[${name}]`, error));
    page.on("requestfinished", async request => {
        const url = new URL(request.url());
        if (!url.pathname.startsWith("/_matrix") || request.method() === "OPTIONS") return;
        const response = request.response();
        // Chromium may have dropped the body of an upload's response; counted as unknown then.
        const forgotten = { errcode: "M_UNRECOGNIZED" };
        const unknown = [404, 405].includes(response.status()) && (await response.json().catch(() => forgotten)).errcode;
        traffic.count(request.method(), url.pathname, response.status(), unknown);
    });
}

async function talk(world) {
    const [ann, bob] = world.people;
    await ann.type("#invitee", bob.userId, "#create");
    await until("both are in the room", async () => {
        const rooms = await Promise.all(world.people.map(({ page }) => page.evaluate(() => window.members())));
        return rooms.every(members => members === 2);
    });
    await ann.type("#message", "good morning", "#send");
    const said = await bob.sees("the message", line => line.body === "good morning");
    check(said.notes.includes("encrypted"), "it was not encrypted");
    await bob.click(said.event, "react");
    for (const person of world.people) await person.sees("the reaction", line => line.reactions.includes("👍 1"));
    ann.page.once("dialog", dialog => dialog.accept("good evening"));
    await ann.click(said.event, "edit");
    for (const person of world.people) {
        await person.sees("the edit", line => line.body === "good evening" && line.notes.includes("edited"));
    }
    await bob.type("#message", "so it is", "#send");
    for (const person of world.people) await person.sees("the answer", line => line.body === "so it is");
    for (const person of world.people) await person.picture(world, "talk");
}

async function sendPicture(world) {
    const [ann] = world.people;
    const field = await ann.page.$("#picture");
    await field.uploadFile(fileURLToPath(new URL("./page/picture.png", import.meta.url)));
    await until("the picture is sent, or refused", async () => {
        const state = await ann.state;
        check(!state.startsWith("failed"), `the page says: ${state}`);
        return (await ann.lines()).some(line => line.body === "picture.png");
    });
    for (const person of world.people) {
        const { width } = await person.sees("the thumbnail", line => line.body === "picture.png" && line.width > 0);
        check(width < 640, `the thumbnail is ${width} pixels wide, as the picture itself`);
        await person.picture(world, "picture");
    }
}

async function reload(world) {
    for (const person of world.people) {
        const before = await person.lines();
        await person.page.reload();
        await until(`${person.name} is in sync again`, async () => (await person.state).startsWith("in sync"));
        await until(`${person.name} sees everything again`, async () => JSON.stringify(await person.lines()) === JSON.stringify(before));
        await person.picture(world, "reload");
    }
    const [ann, bob] = world.people;
    await bob.type("#message", "still here?", "#send");
    await ann.sees("what is said after it", line => line.body === "still here?");
}

/** Bundles the page and serves it on this machine: {url, stop}. */
async function servePages() {
    const here = name => fileURLToPath(new URL(name, import.meta.url));
    const bundle = here("./target/page.js");
    await build({
        entryPoints: [here("./page/page.mjs")],
        outfile: bundle,
        bundle: true,
        format: "esm",
        target: "chrome120",
        define: { global: "globalThis" },
        logLevel: "error",
    });
    const crypto = import.meta.resolve("@matrix-org/matrix-sdk-crypto-wasm");
    const wasm = fileURLToPath(new URL("./pkg/matrix_sdk_crypto_wasm_bg.wasm", crypto));
    const files = {
        "/": [here("./page/index.html"), "text/html"],
        "/page.js": [bundle, "text/javascript"],
        "/pkg/matrix_sdk_crypto_wasm_bg.wasm": [wasm, "application/wasm"], // beside the bundle, as its code expects
    };
    const server = createServer(async (request, response) => {
        const [file, type] = files[new URL(request.url, "http://localhost").pathname] ?? [];
        response.writeHead(file ? 200 : 404, type && { "Content-Type": type }).end(file && (await readFile(file)));
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    const stop = async () => {
        server.closeAllConnections();
        server.close();
    };
    return { url: `http://localhost:${server.address().port}`, stop };
}
