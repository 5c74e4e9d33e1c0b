//! Output of a call in progress. A thread of its own writes it, so that a slow reader blocks neither the events of the call, which are
//! dropped if nobody receives them, nor Ctrl+C.

use anyhow::Context as _;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::error::CliError;
use crate::out::Out;

pub(crate) enum OutputPiece {
    /// Part of an answer, for standard output.
    Text(String),
    /// Part of a script's standard error.
    Error(String),
    /// For standard error.
    Note(String),
}

pub(crate) struct LivePrinter {
    sender: UnboundedSender<OutputPiece>,
    thread: JoinHandle<Result<(), CliError>>,
}

impl LivePrinter {
    pub(crate) fn start(out: &Out) -> Self {
        let (sender, receiver) = unbounded_channel();
        let out = out.clone();
        Self { sender, thread: tokio::task::spawn_blocking(move || print_pieces(receiver, &out)) }
    }

    pub(crate) fn print(&self, piece: OutputPiece) {
        // Fails if the pipe was closed, which `closed` tells.
        let _ = self.sender.send(piece);
    }

    /// Waits until the reader closes the pipe.
    pub(crate) async fn closed(&self) {
        self.sender.closed().await;
    }

    /// Waits until everything is written.
    pub(crate) async fn end(self) -> Result<(), CliError> {
        drop(self.sender);
        self.thread.await.context("can't print the output")?
    }
}

fn print_pieces(mut pieces: UnboundedReceiver<OutputPiece>, out: &Out) -> Result<(), CliError> {
    while let Some(piece) = pieces.blocking_recv() {
        match piece {
            OutputPiece::Text(text) => {
                if !out.exact(text.as_bytes())? {
                    break;
                }
            }
            OutputPiece::Error(text) => out.exact_error(&text),
            OutputPiece::Note(text) => out.note(&text),
        }
    }
    Ok(())
}
