// SPDX-License-Identifier: Apache-2.0
//! The server under test, and the accounts that a run registers there.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use matrix_sdk::Client;
use matrix_sdk::ruma::OwnedUserId;
use matrix_sdk::ruma::api::client::account::register;
use matrix_sdk::ruma::api::client::uiaa::{AuthData, Dummy};

use crate::wait::Outcome;

pub struct Server {
    pub url: String,
    /// The folder of the devices' stores.
    pub folder: PathBuf,
    /// Makes the names of this run's users unique, because a named server keeps the users of earlier runs.
    run: u64,
}

pub struct Account {
    pub user_id: OwnedUserId,
    pub name: String,
    pub password: String,
}

impl Server {
    pub fn new(url: String, folder: PathBuf) -> Self {
        let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Server { url, folder, run }
    }

    /// Registers a user: the first request is answered with the authentication flows, the second one takes `m.login.dummy`.
    pub async fn register(&self, name: &str) -> Outcome<Account> {
        let name = format!("{name}-{}", self.run);
        let password = format!("the password of {name}");
        let client = Client::builder().homeserver_url(&self.url).build().await?;
        let mut request = register::v3::Request::new();
        request.username = Some(name.clone());
        request.password = Some(password.clone());
        request.inhibit_login = true;
        let answer = client.matrix_auth().register(request.clone()).await;
        let refusal = answer.err().ok_or("registered without any authentication")?;
        let mut dummy = Dummy::new();
        dummy.session = refusal.as_uiaa_response().ok_or_else(|| refusal.to_string())?.session.clone();
        request.auth = Some(AuthData::Dummy(dummy));
        let user_id = client.matrix_auth().register(request).await?.user_id;
        Ok(Account { user_id, name, password })
    }
}
