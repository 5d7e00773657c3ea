// What two people with two devices each, and later a third, do through matrix-js-sdk under Node.js. Each scenario goes on where those
// that it needs have ended: `world` holds the devices (ada, adaTwo, ben, benTwo), the encrypted room, and what was said in it.

import { User } from "./device.mjs";
import { verifyBySas } from "./verification.mjs";
import { check, until } from "./wait.mjs";

export const scenarios = [
    { name: "register and log in", needs: [], play: registerAndLogIn },
    { name: "set up cross-signing, secret storage and key backup", needs: ["register and log in"], play: setUpEncryption },
    { name: "verify an own device by emojis", needs: ["set up cross-signing, secret storage and key backup"], play: verifyOwnDevices },
    { name: "talk in an encrypted room", needs: ["verify an own device by emojis"], play: talkEncrypted },
    { name: "verify another user by emojis", needs: ["talk in an encrypted room"], play: verifyOtherUser },
    { name: "read what was said while away", needs: ["talk in an encrypted room"], play: comeBack },
    { name: "restore the key backup on a new device", needs: ["talk in an encrypted room"], play: restoreBackup },
    { name: "react, edit and redact", needs: ["talk in an encrypted room"], play: relate },
    { name: "log out, and be gone for the others", needs: ["restore the key backup on a new device"], play: logOut },
];

async function registerAndLogIn(world) {
    const suffix = Date.now().toString(36);
    for (const [name, second] of [["ada", "adaTwo"], ["ben", "benTwo"]]) {
        const user = new User(world.url, `${name}-${suffix}`, world.traffic);
        world[name] = await user.register(name);
        world[second] = await user.login(second);
    }
    world.devices = [world.ada, world.adaTwo, world.ben, world.benTwo];
    world.closing.push(...world.devices);
    for (const device of world.devices) {
        const whoami = await device.client.whoami();
        check(whoami.user_id === device.userId && whoami.device_id === device.id, `${device.label} is said to be another`);
    }
}

async function setUpEncryption({ ada, ben }) {
    for (const device of [ada, ben]) {
        await device.crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: device.authenticate });
        await device.crypto.bootstrapSecretStorage({
            createSecretStorageKey: async () => {
                const key = await device.crypto.createRecoveryKeyFromPassphrase();
                device.user.recoveryKey = key.encodedPrivateKey;
                return key;
            },
            setupNewKeyBackup: true,
        });
        check(await device.crypto.isCrossSigningReady(), `cross-signing is not ready on ${device.label}`);
        check(await device.crypto.isSecretStorageReady(), `secret storage is not ready on ${device.label}`);
        check(await device.crypto.getActiveSessionBackupVersion(), `no key backup is active on ${device.label}`);
    }
}

async function verifyOwnDevices({ ada, adaTwo, ben, benTwo }) {
    for (const [first, second] of [[ada, adaTwo], [ben, benTwo]]) {
        // The SDK ignores a verification request that arrives before the other device's keys; real users are slower.
        await first.knows(second);
        await second.knows(first);
        check(await second.crypto.userHasCrossSigningKeys(), `${second.label} sees no cross-signing keys of its user`);
        await verifyBySas(second, await second.crypto.requestOwnUserVerification(), first);
        await until(`${first.label} trusts ${second.label}`, () => first.trusts(second));
        await until(`${second.label} trusts ${first.label}`, () => second.trusts(first));
        await until(`${second.label} was given the private keys`, async () => {
            const { privateKeysCachedLocally: has } = await second.crypto.getCrossSigningStatus();
            return has.masterKey && has.selfSigningKey && has.userSigningKey;
        });
        await until(`${second.label} backs up its keys`, () => second.crypto.getActiveSessionBackupVersion());
    }
}

async function talkEncrypted(world) {
    const { ada, ben, devices } = world;
    const { room_id: roomId } = await ada.client.createRoom({
        preset: "private_chat",
        invite: [ben.userId],
        is_direct: true,
        initial_state: [{ type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } }],
    });
    world.roomId = roomId;
    await until("ben is invited", () => ben.client.getRoom(roomId)?.getMyMembership() === "invite");
    await ben.client.joinRoom(roomId);
    for (const device of devices) {
        const room = await device.room(roomId);
        await until(`${device.label} sees both in the room`, () => room.getJoinedMemberCount() === 2);
        await until(`${device.label} knows that it is encrypted`, () => device.crypto.isEncryptionEnabledInRoom(roomId));
    }
    world.said = [];
    for (const device of devices) {
        const body = `hello from ${device.label}`;
        world.said.push({ eventId: await device.say(roomId, body), body });
    }
    await everyoneReads(world, devices);
}

async function everyoneReads({ roomId, said }, devices) {
    for (const device of devices) {
        for (const { eventId, body } of said) {
            const event = await device.reads(roomId, eventId, body);
            check(event.isEncrypted(), `“${body}” was not encrypted`);
        }
    }
}

async function verifyOtherUser({ ada, adaTwo, ben, benTwo, roomId }) {
    await verifyBySas(ada, await ada.crypto.requestVerificationDM(ben.userId, roomId), ben);
    for (const [device, other] of [[ada, ben], [adaTwo, ben], [ben, ada], [benTwo, ada]]) {
        await until(`${device.label} trusts the user ${other.label}`, async () =>
            (await device.crypto.getUserVerificationStatus(other.userId)).isCrossSigningVerified(),
        );
    }
    await until("ada trusts ben's other device, too", () => ada.trusts(benTwo));
}

async function comeBack(world) {
    const { ada, benTwo, roomId, said } = world;
    await benTwo.stop();
    await ada.crypto.forceDiscardSession(roomId); // so that the next key also waits for the device
    for (const body of ["are you there?", "you seem to be away"]) {
        said.push({ eventId: await ada.say(roomId, body), body });
    }
    await benTwo.start();
    await everyoneReads(world, [benTwo]);
    const body = "back again";
    said.push({ eventId: await benTwo.say(roomId, body), body });
    await everyoneReads(world, world.devices);
}

async function restoreBackup(world) {
    const { ada, roomId, said } = world;
    await until("all keys of ada are backed up", async () => {
        const sessions = (await ada.crypto.exportRoomKeys()).length;
        return (await ada.client.http.authedRequest("GET", "/room_keys/version")).count >= sessions;
    }, 60);
    const adaThree = await ada.user.login("adaThree");
    world.adaThree = adaThree;
    world.closing.push(adaThree);
    check(await adaThree.crypto.userHasCrossSigningKeys(), "a new device sees no cross-signing keys of its user");
    await adaThree.crypto.bootstrapCrossSigning({});
    check(await adaThree.crypto.isCrossSigningReady(), "cross-signing is not ready on the new device");
    await adaThree.crypto.loadSessionBackupPrivateKeyFromSecretStorage();
    const { imported, total } = await adaThree.crypto.restoreKeyBackup();
    check(imported > 0 && imported === total, `${imported} of ${total} keys were imported`);
    await adaThree.room(roomId);
    await everyoneReads(world, [adaThree]);
    await until("the old device trusts the new one", () => ada.trusts(adaThree));
    const body = "from my new device";
    said.push({ eventId: await adaThree.say(roomId, body), body });
    await everyoneReads(world, [...world.devices, adaThree]);
}

async function relate(world) {
    const { ada, ben, roomId } = world;
    const devices = [...world.devices, ...(world.adaThree ? [world.adaThree] : [])];
    const reacted = await ada.say(roomId, "who brings the cake?");
    const edited = await ada.say(roomId, "at five o'clock");
    const redacted = await ada.say(roomId, "not meant for this room");
    for (const device of devices) await device.reads(roomId, redacted, "not meant for this room");

    await ben.client.sendEvent(roomId, "m.reaction", { "m.relates_to": { rel_type: "m.annotation", event_id: reacted, key: "🎂" } });
    await ada.client.sendMessage(roomId, {
        msgtype: "m.text",
        body: "* at six o'clock",
        "m.new_content": { msgtype: "m.text", body: "at six o'clock" },
        "m.relates_to": { rel_type: "m.replace", event_id: edited },
    });
    await ada.client.redactEvent(roomId, redacted);
    for (const device of devices) {
        const room = await device.room(roomId);
        await until(`${device.label} sees the reaction`, () => {
            const reactions = room.relations.getChildEventsForEvent(reacted, "m.annotation", "m.reaction");
            return reactions?.getSortedAnnotationsByKey()?.some(([key, events]) => key === "🎂" && events.size === 1);
        });
        await until(`${device.label} sees the edit`, () => device.event(roomId, edited)?.getContent().body === "at six o'clock");
        await until(`${device.label} sees the redaction`, () => {
            const event = room.findEventById(redacted);
            return event?.isRedacted() && event.getContent().body === undefined;
        });
    }
}

async function logOut({ ada, ben, adaThree, closing }) {
    await ben.knows(adaThree);
    await adaThree.client.logout(true);
    closing.splice(closing.indexOf(adaThree), 1);
    for (const device of [ada, ben]) {
        await until(`${device.label} sees the device go`, async () => {
            const devices = await device.crypto.getUserDeviceInfo([ada.userId]);
            return !devices.get(ada.userId).has(adaThree.id);
        });
    }
}
