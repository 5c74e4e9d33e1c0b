//! `bare-server FILE MEDIA_TYPE`: answers every request with the same bytes, as fast as axum can. Prints `{"port":N}` and serves until its
//! standard input is closed.

use std::io::Write as _;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::serve::ListenerExt as _;
use bytes::Bytes;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error("usage: bare-server FILE MEDIA_TYPE")]
    Usage,
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

#[tokio::main]
async fn main() -> Result<(), StartError> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(media_type), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err(StartError::Usage);
    };
    let body = Bytes::from(std::fs::read(file)?);
    let router = Router::new().fallback(async move || ([(CONTENT_TYPE, media_type)], body));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(std::io::stdout(), "{{\"port\":{}}}", listener.local_addr()?.port())?;
    std::io::stdout().flush()?;
    let listener = listener.tap_io(|stream| {
        // As the measured server does.
        let _ = stream.set_nodelay(true);
    });
    let (mut input, mut nothing) = (tokio::io::stdin(), Vec::new());
    tokio::select! {
        ended = axum::serve(listener, router) => ended?,
        // The parent holds the other end, so this process ends with it.
        ended = input.read_to_end(&mut nothing) => drop(ended?),
    }
    Ok(())
}
