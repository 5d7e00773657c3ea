// Waits for conditions instead of fixed times.

let patience = 1;

/** The factor of all timeouts, for busy machines. */
export function bePatient(times) {
    patience = times;
}

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Waits until the condition, which may be asynchronous, returns a true value, and returns that value. Fails after the
 * timeout, and immediately when the condition asks to skip the scenario.
 */
export async function until(what, condition, seconds = 30) {
    const allowed = seconds * patience;
    const end = Date.now() + allowed * 1000;
    let last;
    for (;;) {
        try {
            const found = await condition();
            if (found) return found;
            last = undefined;
        } catch (error) {
            if (error.skip) throw error;
            last = error;
        }
        if (Date.now() > end) {
            throw new Error(`not within ${allowed} s: ${what}` + (last ? ` (${last.message})` : ""));
        }
        await sleep(100);
    }
}

/** The promise, or a failure with the name of its result after the timeout. */
export async function within(what, promise, seconds = 30) {
    const allowed = seconds * patience;
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not within ${allowed} s: ${what}`)), allowed * 1000);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function check(condition, what) {
    if (!condition) throw new Error(what);
}
