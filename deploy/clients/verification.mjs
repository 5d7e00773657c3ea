// Two devices verify each other by comparing seven emojis (SAS).

import { VerificationPhase, VerifierEvent } from "matrix-js-sdk/lib/crypto-api/index.js";
import { check, until, within } from "./wait.mjs";

const SAS = "m.sas.v1";

/** Plays the verification from the request of one device to the end on both. */
export async function verifyBySas(asking, request, asked) {
    const received = await asked.nextVerification();
    await received.accept();
    await phase(asking, request, VerificationPhase.Ready);
    const here = await request.startVerification(SAS);
    const there = await until(`${asked.label} sees that it begins`, () => received.verifier);
    const ends = [here, there].map(verifier => [emojis(verifier), verifier.verify()]);
    ends.forEach(([, end]) => end.catch(() => {})); // reported below
    const [mine, yours] = await within("both see emojis", Promise.all(ends.map(([shown]) => shown)));
    check(mine.text === yours.text, `the emojis differ: ${mine.text} and ${yours.text}`);
    await Promise.all([mine.confirm(), yours.confirm()]);
    await within("both say that it is done", Promise.all(ends.map(([, end]) => end)));
    await phase(asking, request, VerificationPhase.Done);
    await phase(asked, received, VerificationPhase.Done);
}

function phase(device, request, expected) {
    return until(`the verification on ${device.label} is ${VerificationPhase[expected]}`, () => {
        check(request.phase !== VerificationPhase.Cancelled || expected === request.phase, `cancelled: ${request.cancellationCode}`);
        return request.phase === expected;
    });
}

function emojis(verifier) {
    return new Promise(resolve => {
        const show = ({ sas, confirm }) => resolve({ text: sas.emoji.map(([emoji]) => emoji).join(" "), confirm });
        const shown = verifier.getShowSasCallbacks();
        if (shown) show(shown);
        else verifier.once(VerifierEvent.ShowSas, show);
    });
}
