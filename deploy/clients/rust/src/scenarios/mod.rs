// SPDX-License-Identifier: Apache-2.0
//! The scenarios. Each has users of its own, so that one can be played alone.

mod devices;
mod encryption;
mod gaps;
mod knocking;
mod logout;
mod membership;
mod names;
mod notifications;
mod profiles;
mod reading;
mod restart;
mod rooms;
mod sign_in;
mod verification;
mod versions;

use crate::checks::Checks;
use crate::device::Device;
use crate::server::{Account, Server};
use crate::wait::Outcome;

/// Plays the scenarios whose names contain one of the words, or all if there are none.
pub async fn play(checks: &mut Checks, server: &Server, words: &str) {
    macro_rules! play {
        ($name:literal, $scenario:ident) => {
            if words.is_empty() || words.split(',').any(|word| $name.contains(word)) {
                checks.begin($name);
                // A scenario that ends early has printed the failed check.
                let _ = Box::pin($scenario::play(checks, server)).await;
            }
        };
    }
    play!("sign in", sign_in);
    play!("rooms", rooms);
    play!("names", names);
    play!("gaps", gaps);
    play!("encryption", encryption);
    play!("membership", membership);
    play!("knocking", knocking);
    play!("devices", devices);
    play!("verification", verification);
    play!("restart", restart);
    play!("reading", reading);
    play!("notifications", notifications);
    play!("profiles", profiles);
    play!("room version 12", versions);
    play!("logout", logout);
}

/// A user with one device that syncs.
struct Person {
    account: Account,
    device: Device,
}

async fn person(server: &Server, name: &str) -> Outcome<Person> {
    let account = server.register(name).await?;
    let device = Device::login(server, &account, "phone").await?;
    Ok(Person { account, device })
}
