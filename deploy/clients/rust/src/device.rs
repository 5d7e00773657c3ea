// SPDX-License-Identifier: Apache-2.0
//! A device with the SDK's client, sync service and room list, set up as in Element X.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, pin_mut};
use matrix_sdk::authentication::matrix::MatrixSession;
use matrix_sdk::cross_process_lock::CrossProcessLockConfig;
use matrix_sdk::encryption::{BackupDownloadStrategy, EncryptionSettings};
use matrix_sdk::ruma::api::client::room::create_room;
use matrix_sdk::ruma::events::room::message::RoomMessageEventContent;
use matrix_sdk::ruma::{OwnedEventId, RoomId};
use matrix_sdk::sliding_sync::VersionBuilder;
use matrix_sdk::{Client, Room, RoomState};
use matrix_sdk_ui::eyeball_im::Vector;
use matrix_sdk_ui::room_list_service::{RoomListItem, RoomListService, filters};
use matrix_sdk_ui::sync_service::{State, SyncService};
use matrix_sdk_ui::timeline::RoomExt;
use tokio::task::JoinHandle;

use crate::server::{Account, Server};
use crate::view::View;
use crate::wait::{Outcome, until, until_is};

/// More rooms than any scenario makes.
const PAGE_OF_ROOMS: usize = 200;

pub struct Device {
    pub client: Client,
    pub sync: Arc<SyncService>,
    store: PathBuf,
    entries: Arc<Mutex<Vector<RoomListItem>>>,
    follower: JoinHandle<()>,
}

/// What remains of a device while its app is closed.
pub struct ClosedDevice {
    store: PathBuf,
    session: MatrixSession,
}

impl Device {
    /// Logs a new device in and starts its sync.
    pub async fn login(server: &Server, account: &Account, device: &str) -> Outcome<Device> {
        let device = Device::login_without_sync(server, account, device).await?;
        device.start().await?;
        Ok(device)
    }

    pub async fn login_without_sync(server: &Server, account: &Account, device: &str) -> Outcome<Device> {
        let store = server.folder.join(format!("{}-{device}", account.name));
        let client = client(server, &store).await?;
        client
            .matrix_auth()
            .login_username(&account.name, &account.password)
            .initial_device_display_name(device)
            .send()
            .await?;
        Device::of(client, store).await
    }

    async fn of(client: Client, store: PathBuf) -> Outcome<Device> {
        client.encryption().wait_for_e2ee_initialization_tasks().await;
        let name = store.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let span = tracing::error_span!("device", name);
        let sync = Arc::new(SyncService::builder(client.clone()).with_parent_span(span).build().await?);
        let entries = Arc::new(Mutex::new(Vector::new()));
        let follower = tokio::spawn(follow(sync.room_list_service(), entries.clone()));
        Ok(Device { client, sync, store, entries, follower })
    }

    pub async fn start(&self) -> Outcome<()> {
        self.sync.start().await;
        until("the sync service is running", async || match self.sync.state().get() {
            State::Running => Ok(Some(())),
            State::Error(error) => Err(format!("the sync service failed: {error}").into()),
            _ => Ok(None),
        })
        .await
    }

    /// Closes the app: afterwards only the store and the session are left.
    pub async fn close(self) -> Outcome<ClosedDevice> {
        self.sync.stop().await;
        let session = self.client.matrix_auth().session().ok_or("no session")?;
        let store = self.store.clone();
        self.follower.abort();
        Ok(ClosedDevice { store, session })
    }

    pub fn room(&self, room_id: &RoomId) -> Outcome<Room> {
        Ok(self.client.get_room(room_id).ok_or_else(|| format!("{room_id} is unknown"))?)
    }

    /// The names in the room list, in its order. Rooms that the user has left are filtered out, as in Element X.
    pub fn room_names(&self) -> Vec<String> {
        let entries = self.entries.lock().unwrap().clone();
        entries.iter().map(|item| item.cached_display_name().map_or("?".to_owned(), |name| name.to_string())).collect()
    }

    pub fn lists(&self, room_id: &RoomId) -> bool {
        self.entries.lock().unwrap().iter().any(|item| item.room_id() == room_id)
    }

    pub async fn until_room_is(&self, room_id: &RoomId, expected: RoomState) -> Outcome<Room> {
        let state = async || Ok(self.client.get_room(room_id).map(|room| room.state()));
        until_is(&format!("the state of {room_id}"), Some(expected), state).await?;
        // The SDK updates its room list a moment later than the room.
        let listed = matches!(expected, RoomState::Joined | RoomState::Invited | RoomState::Knocked);
        until_is("the room is in the room list", listed, async || Ok(self.lists(room_id))).await?;
        self.room(room_id)
    }

    pub async fn create_room(&self, name: &str) -> Outcome<Room> {
        let mut request = create_room::v3::Request::new();
        request.name = Some(name.to_owned());
        Ok(self.client.create_room(request).await?)
    }

    /// Invites the other user, and joins there when the invitation has arrived by sync.
    pub async fn admit(&self, room_id: &RoomId, guest: &Device) -> Outcome<Room> {
        let user_id = guest.client.user_id().ok_or("not logged in")?;
        self.room(room_id)?.invite_user_by_id(user_id).await?;
        guest.until_room_is(room_id, RoomState::Invited).await?.join().await?;
        guest.until_room_is(room_id, RoomState::Joined).await
    }

    pub async fn send(&self, room_id: &RoomId, text: &str) -> Outcome<OwnedEventId> {
        Ok(self.room(room_id)?.send(RoomMessageEventContent::text_plain(text)).await?.response.event_id)
    }

    /// Opens the room as a tap on it does: a subscription to the room, and a timeline.
    pub async fn open(&self, room_id: &RoomId) -> Outcome<View> {
        self.sync.room_list_service().subscribe_to_rooms(&[room_id]).await;
        Ok(View { timeline: self.room(room_id)?.timeline().await? })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

impl ClosedDevice {
    /// Opens the app again. The sync is not started yet, so that the caller sees what the store contains.
    pub async fn reopen(self, server: &Server) -> Outcome<Device> {
        let client = client(server, &self.store).await?;
        client.restore_session(self.session).await?;
        Device::of(client, self.store).await
    }
}

async fn client(server: &Server, store: &Path) -> Outcome<Client> {
    let encryption = EncryptionSettings {
        auto_enable_cross_signing: true,
        backup_download_strategy: BackupDownloadStrategy::AfterDecryptionFailure,
        auto_enable_backups: true,
    };
    Ok(Client::builder()
        .homeserver_url(&server.url)
        .sqlite_store(store, None)
        .sliding_sync_version_builder(VersionBuilder::DiscoverNative)
        .cross_process_store_config(CrossProcessLockConfig::SingleProcess)
        .with_encryption_settings(encryption)
        .build()
        .await?)
}

/// Keeps the entries of the room list current.
async fn follow(service: Arc<RoomListService>, entries: Arc<Mutex<Vector<RoomListItem>>>) {
    let Ok(list) = service.all_rooms().await else { return };
    let (changes, controller) = list.entries_with_dynamic_adapters(PAGE_OF_ROOMS);
    controller.set_filter(Box::new(filters::new_filter_non_left()));
    pin_mut!(changes);
    while let Some(batch) = changes.next().await {
        let mut entries = entries.lock().unwrap();
        for change in batch {
            change.apply(&mut entries);
        }
    }
}
