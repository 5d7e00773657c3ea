// SPDX-License-Identifier: Apache-2.0
//! The checks of a run, each with a line of its own.

use crate::wait::{Failure, Outcome, allowed};

pub struct Checks {
    scenario: &'static str,
    pub ok: u32,
    pub failed: u32,
}

impl Checks {
    pub fn new() -> Self {
        Checks { scenario: "", ok: 0, failed: 0 }
    }

    pub fn begin(&mut self, scenario: &'static str) {
        self.scenario = scenario;
    }

    /// Does what the checks of a scenario need, and prints a line only when that fails.
    pub async fn prepare<T>(&mut self, name: &str, work: impl Future<Output = Outcome<T>>) -> Option<T> {
        match limited(work).await {
            Ok(value) => Some(value),
            Err(failure) => self.failed(name, &failure),
        }
    }

    /// Prints the outcome. Returns the value, or None after a failure: a scenario ends with `?` where later checks need the value.
    pub async fn check<T>(&mut self, name: &str, work: impl Future<Output = Outcome<T>>) -> Option<T> {
        match limited(work).await {
            Ok(value) => {
                self.ok += 1;
                println!("ok      {}: {name}", self.scenario);
                Some(value)
            }
            Err(failure) => self.failed(name, &failure),
        }
    }

    fn failed<T>(&mut self, name: &str, failure: &Failure) -> Option<T> {
        self.failed += 1;
        println!("FAILED  {}: {name}: {failure}", self.scenario);
        tracing::error!(scenario = self.scenario, name, %failure, "check failed");
        None
    }
}

/// A request of the SDK that never ends must not end the run. The conditions in a check have timeouts of their own.
async fn limited<T>(work: impl Future<Output = Outcome<T>>) -> Outcome<T> {
    let limit = allowed() * 4;
    match tokio::time::timeout(limit, work).await {
        Ok(outcome) => outcome,
        Err(_) => Err(format!("not finished within {} s", limit.as_secs()).into()),
    }
}
