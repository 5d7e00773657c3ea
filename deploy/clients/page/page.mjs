// A small client around matrix-js-sdk: one account, one encrypted room, messages, reactions, edits and pictures. It goes on after a
// reload, and accepts every invitation. browser.mjs drives it as a person would.

import * as sdk from "matrix-js-sdk";

const baseUrl = new URLSearchParams(location.search).get("server");
const $ = id => document.getElementById(id);
let client;
let roomId;

const show = text => ($("state").textContent = text);

/** Shows the failure of a user's action on the page. */
function on(id, type, action) {
    $(id).addEventListener(type, event => {
        event.preventDefault();
        action(event).catch(error => show(`failed: ${error.errcode ?? ""} ${error.message}`));
    });
}

async function register() {
    const anonymous = sdk.createClient({ baseUrl });
    const request = { username: $("name").value, password: $("password").value };
    const session = await anonymous.registerRequest(request).catch(error => {
        if (error.httpStatus !== 401) throw error;
        return anonymous.registerRequest({ ...request, auth: { type: "m.login.dummy", session: error.data.session } });
    });
    localStorage.setItem("session", JSON.stringify(session));
    await start(session);
}

async function start({ user_id: userId, device_id: deviceId, access_token: accessToken }) {
    const store = new sdk.IndexedDBStore({ indexedDB, dbName: "talk" });
    client = sdk.createClient({ baseUrl, userId, deviceId, accessToken, store, timelineSupport: true });
    await store.startup();
    await client.initRustCrypto();
    client.on(sdk.ClientEvent.Sync, state => state === sdk.SyncState.Prepared && show(`in sync as ${userId}`));
    client.on(sdk.RoomEvent.MyMembership, (room, membership) => membership === "invite" && client.joinRoom(room.roomId));
    for (const event of [sdk.RoomEvent.Timeline, sdk.RoomEvent.LocalEchoUpdated, sdk.RoomEvent.MyMembership]) client.on(event, render);
    for (const event of [sdk.MatrixEventEvent.Decrypted, sdk.MatrixEventEvent.Replaced]) client.on(event, render);
    await client.startClient({ initialSyncLimit: 50 });
    $("account").hidden = true;
    $("invitation").hidden = $("composer").hidden = false;
}

async function create() {
    await client.createRoom({
        preset: "trusted_private_chat",
        invite: [$("invitee").value],
        initial_state: [{ type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } }],
    });
}

async function send() {
    await client.sendTextMessage(roomId, $("message").value);
    $("message").value = "";
}

async function sendPicture() {
    const file = $("picture").files[0];
    const { content_uri: url } = await client.uploadContent(file, { name: file.name, type: file.type });
    const info = { mimetype: file.type, size: file.size };
    await client.sendMessage(roomId, { msgtype: "m.image", body: file.name, url, info });
}

function react(event) {
    const relation = { rel_type: "m.annotation", event_id: event.getId(), key: "👍" };
    return client.sendEvent(roomId, "m.reaction", { "m.relates_to": relation });
}

function edit(event) {
    const body = prompt("instead", event.getContent().body);
    return client.sendMessage(roomId, {
        msgtype: "m.text",
        body: `* ${body}`,
        "m.new_content": { msgtype: "m.text", body },
        "m.relates_to": { rel_type: "m.replace", event_id: event.getId() },
    });
}

/** Thumbnails by mxc: URI, as object URLs, because an img element cannot send an access token. */
const thumbnails = new Map();

function thumbnail(mxc) {
    if (!thumbnails.has(mxc)) thumbnails.set(mxc, loadThumbnail(mxc));
    return thumbnails.get(mxc);
}

async function loadThumbnail(mxc) {
    const url = client.mxcUrlToHttp(mxc, 160, 120, "scale", false, true, true);
    const response = await fetch(url, { headers: { Authorization: `Bearer ${client.getAccessToken()}` } });
    if (!response.ok) throw new Error(`thumbnail: ${response.status}`);
    return URL.createObjectURL(await response.blob());
}

function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
}

function line(room, event) {
    const content = event.getContent();
    const item = element("li", "", "");
    item.dataset.event = event.getId();
    item.append(element("span", "sender", room.getMember(event.getSender())?.name ?? event.getSender()));
    item.append(element("span", "body", event.isDecryptionFailure() ? "cannot be read" : content.body));
    if (event.replacingEvent()) item.append(element("span", "note", "edited"));
    if (event.isEncrypted()) item.append(element("span", "note", "encrypted"));
    if (content.msgtype === "m.image") {
        const image = item.appendChild(document.createElement("img"));
        thumbnail(content.url).then(source => (image.src = source), error => show(`failed: ${error.message}`));
    }
    const reactions = room.relations.getChildEventsForEvent(event.getId(), "m.annotation", "m.reaction");
    for (const [key, events] of reactions?.getSortedAnnotationsByKey() ?? []) {
        if (events.size > 0) item.append(element("span", "reaction", `${key} ${events.size}`));
    }
    for (const [name, action] of [["react", react], ["edit", edit]]) {
        const button = item.appendChild(element("button", name, name));
        button.onclick = () => action(event).catch(error => show(`failed: ${error.message}`));
    }
    return item;
}

function render() {
    const room = client.getRooms().find(each => each.getMyMembership() === "join");
    if (!room) return;
    roomId = room.roomId;
    const messages = room.getLiveTimeline().getEvents().filter(event => {
        const type = event.getType();
        return (type === "m.room.message" || type === "m.room.encrypted") && !event.isRelation("m.replace");
    });
    $("timeline").replaceChildren(...messages.map(event => line(room, event)));
}

on("account", "submit", register);
on("invitation", "submit", create);
on("composer", "submit", send);
on("picture", "change", sendPicture);
const known = localStorage.getItem("session");
if (known) start(JSON.parse(known)).then(render, error => show(`failed: ${error.message}`));
/** The number of members, for browser.mjs. */
window.members = () => client.getRoom(roomId)?.getJoinedMemberCount() ?? 0;
