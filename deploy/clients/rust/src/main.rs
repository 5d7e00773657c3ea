// SPDX-License-Identifier: Apache-2.0
//! Plays users' actions against a running Rookery through matrix-rust-sdk with sliding sync, as Element X does. `run` starts it.

mod checks;
mod device;
mod scenarios;
mod server;
mod view;
mod wait;

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use tracing_subscriber::EnvFilter;

use crate::checks::Checks;
use crate::server::Server;

const LOGGED: &str = "info,matrix_sdk=debug,matrix_sdk_ui=debug";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, folder, patience, only] = arguments.as_slice() else {
        eprintln!("rookery-sliding URL FOLDER PATIENCE WORDS: see deploy/clients/rust/run --help");
        return ExitCode::FAILURE;
    };
    let folder = PathBuf::from(folder);
    wait::be_patient(patience.parse().unwrap_or(1));
    let log = File::create(folder.join("clients.log")).expect("the log can be written");
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(LOGGED));
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(log).init();

    let server = Server::new(url.clone(), folder.join("stores"));
    let mut checks = Checks::new();
    scenarios::play(&mut checks, &server, only).await;
    println!("{} ok, {} failed", checks.ok, checks.failed);
    if checks.failed == 0 && checks.ok > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
