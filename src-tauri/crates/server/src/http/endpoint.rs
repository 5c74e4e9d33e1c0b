//! The address of a server, and the token of the person who started it.

use std::fs;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inklings_app::features::server::ServerError;
use inklings_app::features::token;
use inklings_core::Digest;
use tokio::net::TcpListener;

#[derive(Debug, thiserror::Error)]
enum OwnerTokenError {
    #[error(transparent)]
    Random(#[from] token::RandomError),
    #[error("{}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// The token of the person who started the server, until it is dropped. It is in a file that only that person can read.
pub(super) struct OwnerToken {
    file: PathBuf,
    pub(super) hash: Digest,
}

impl OwnerToken {
    fn create(file: &Path) -> Result<Self, OwnerTokenError> {
        let secret = token::new_secret()?;
        let write = || -> io::Result<()> {
            match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            // Created with its mode, so that nobody else can open it in between.
            let mut opened = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
            opened.write_all(secret.as_bytes())
        };
        write().map_err(|error| OwnerTokenError::Write { path: file.to_owned(), error })?;
        Ok(Self { file: file.to_owned(), hash: Digest::of(secret.as_bytes()) })
    }
}

impl Drop for OwnerToken {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.file) {
            tracing::warn!(%error, "the file of the server's token could not be removed");
        }
    }
}

/// A loopback address that is listened on.
pub struct Endpoint {
    pub(super) listener: TcpListener,
    pub(super) owner: OwnerToken,
    address: SocketAddr,
}

impl Endpoint {
    /// Listens on a port, 0 for any free one, and creates the token file in the account's folder. To be called in a tokio runtime.
    pub fn bind(home: &Path, port: u16) -> Result<Self, ServerError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
            io::ErrorKind::PermissionDenied => ServerError::PortDenied(port),
            _ => ServerError::Listen { port, error },
        };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let listener = TcpListener::from_std(listener).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let file = home.join(format!("serve-{}.token", address.port()));
        let owner = OwnerToken::create(&file).map_err(|error| ServerError::TokenFile(error.to_string()))?;
        Ok(Self { listener, owner, address })
    }

    /// `http://127.0.0.1:PORT`
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    #[must_use]
    pub fn token_file(&self) -> &Path {
        &self.owner.file
    }
}
