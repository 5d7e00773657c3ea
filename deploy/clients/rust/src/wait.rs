// SPDX-License-Identifier: Apache-2.0
//! Waits for conditions instead of fixed times.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub type Failure = Box<dyn std::error::Error + Send + Sync>;
pub type Outcome<T> = Result<T, Failure>;

const PAUSE: Duration = Duration::from_millis(100);

static ALLOWED_SECONDS: AtomicU64 = AtomicU64::new(30);

/// The factor of all timeouts, for busy machines.
pub fn be_patient(times: u64) {
    ALLOWED_SECONDS.store(30 * times, Ordering::Relaxed);
}

pub fn allowed() -> Duration {
    Duration::from_secs(ALLOWED_SECONDS.load(Ordering::Relaxed))
}

/// Waits until the probe returns something.
pub async fn until<T>(what: &str, mut probe: impl AsyncFnMut() -> Outcome<Option<T>>) -> Outcome<T> {
    let end = Instant::now() + allowed();
    loop {
        if let Some(value) = probe().await? {
            return Ok(value);
        }
        if Instant::now() > end {
            return Err(format!("not within {} s: {what}", allowed().as_secs()).into());
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits until the probe returns the expected value; the failure contains the last other value.
pub async fn until_is<T: PartialEq + Debug>(
    what: &str,
    expected: T,
    mut probe: impl AsyncFnMut() -> Outcome<T>,
) -> Outcome<()> {
    let end = Instant::now() + allowed();
    loop {
        let value = probe().await?;
        if value == expected {
            return Ok(());
        }
        if Instant::now() > end {
            let seconds = allowed().as_secs();
            return Err(format!("{what}: {value:?} after {seconds} s instead of {expected:?}").into());
        }
        tokio::time::sleep(PAUSE).await;
    }
}

pub fn ensure(condition: bool, what: impl Into<String>) -> Outcome<()> {
    if condition { Ok(()) } else { Err(what.into().into()) }
}
