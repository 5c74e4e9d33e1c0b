//! The imports `call` and `log`: what is answered here, what is passed on, and how much of it.

use inklings_core::sandbox::{HostError, SandboxLimits, ScriptError};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use wasmtime::component::{Linker, WasmList};
use wasmtime::{StoreContextMut, bail};

use super::Guest;
use crate::abi::{CALL_BYTES, ENDED, NAME_BYTES, PROGRESS, PROGRESS_CHARS, PROGRESS_REPORTS, SUBMIT};

/// What whoever started the run has to do for it.
#[derive(Debug)]
pub(crate) enum Request {
    /// Call a function of the host.
    Call { name: String, arguments: Value, answer: oneshot::Sender<Result<Value, HostError>> },
    /// Keep a piece of the log.
    Log(String),
    /// Hear how far it is.
    Progress { fraction: f64, text: String },
}

/// What one run has left of its calls.
pub(crate) struct Calls {
    requests: Sender<Request>,
    log: Log,
    result_bytes: u32,
    progress_reports: u32,
}

impl Calls {
    pub(crate) fn new(limits: &SandboxLimits, requests: Sender<Request>) -> Self {
        Self { requests, log: Log::new(limits.log_bytes), result_bytes: limits.result_bytes, progress_reports: 0 }
    }
}

type Answer = Result<Vec<u8>, (&'static str, String)>;

pub(crate) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    let mut host = linker.instance("inklings:sandbox/host")?;
    host.func_wrap_async("call", |store, (name, arguments): (WasmList<u8>, WasmList<u8>)| {
        Box::new(async move { Ok((call(store, &name, &arguments).await?,)) })
    })?;
    host.func_wrap_async("log", |store, (text,): (WasmList<u8>,)| Box::new(log(store, text)))
}

/// Refusals are answers; an error ends the run, and no Python can catch it.
async fn call(mut guest: StoreContextMut<'_, Guest>, name: &WasmList<u8>, arguments: &WasmList<u8>) -> wasmtime::Result<Answer> {
    if name.len() > NAME_BYTES {
        return Ok(bad_call("no function has such a long name"));
    }
    let name = String::from_utf8_lossy(name.as_le_slice(&guest)).into_owned();
    let (limit, bytes) = (guest.data().calls.result_bytes, arguments.len());
    if name == SUBMIT && bytes > limit as usize {
        return end(&mut guest, ScriptError::ResultTooLarge { bytes: bytes as u64, limit });
    }
    if name != SUBMIT && bytes > CALL_BYTES {
        return Ok(bad_call(format!("the arguments have {bytes} bytes, more than the {CALL_BYTES} that are allowed")));
    }
    let arguments: Value = match serde_json::from_slice(arguments.as_le_slice(&guest)) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(bad_call(format!("the arguments are no JSON: {error}"))),
    };
    match name.as_str() {
        SUBMIT => Ok(guest.data_mut().ending.submit(arguments).map(|()| done()).ok_or_else(|| ("failed", SECOND_SUBMIT.to_owned()))),
        ENDED => {
            guest.data_mut().ending.tell(arguments);
            Ok(Ok(done()))
        }
        PROGRESS => progress(guest, arguments).await,
        _ => forward(guest, name, arguments).await,
    }
}

const SECOND_SUBMIT: &str = "submit was called before: a script hands in one result";

/// The answer of what gives none.
fn done() -> Vec<u8> {
    b"null".to_vec()
}

fn bad_call(why: impl Into<String>) -> Answer {
    Err(("bad-call", why.into()))
}

/// Ends the run with `outcome`.
fn end<T>(guest: &mut StoreContextMut<'_, Guest>, outcome: ScriptError) -> wasmtime::Result<T> {
    guest.data_mut().ending.force(outcome);
    bail!("the run was ended")
}

async fn forward(mut guest: StoreContextMut<'_, Guest>, name: String, arguments: Value) -> wasmtime::Result<Answer> {
    let (answer, heard) = oneshot::channel();
    send(&mut guest, Request::Call { name, arguments, answer }).await?;
    pause(&mut guest);
    let heard = heard.await;
    resume(&mut guest);
    match heard {
        Ok(Ok(value)) => Ok(Ok(serde_json::to_vec(&value)?)),
        Ok(Err(HostError::Denied(why))) => Ok(Err(("denied", why))),
        Ok(Err(HostError::NotFound(why))) => Ok(Err(("not-found", why))),
        Ok(Err(HostError::BadCall(why))) => Ok(Err(("bad-call", why))),
        Ok(Err(HostError::Failed(why))) => Ok(Err(("failed", why))),
        Ok(Err(HostError::Fatal(why))) => end(&mut guest, ScriptError::Ended(why)),
        Err(_) => end(&mut guest, ScriptError::Cancelled),
    }
}

#[derive(Deserialize)]
struct Report {
    fraction: f64,
    #[serde(default)]
    text: String,
}

async fn progress(mut guest: StoreContextMut<'_, Guest>, arguments: Value) -> wasmtime::Result<Answer> {
    let Ok(Report { fraction, text }) = serde_json::from_value(arguments) else {
        return Ok(bad_call("progress takes a number from 0 to 1 and a text"));
    };
    let calls = &mut guest.data_mut().calls;
    if calls.progress_reports < PROGRESS_REPORTS {
        calls.progress_reports += 1;
        let text = text.chars().take(PROGRESS_CHARS).collect();
        send(&mut guest, Request::Progress { fraction: fraction.clamp(0.0, 1.0), text }).await?;
    }
    Ok(Ok(done()))
}

/// Whether more will be kept.
async fn log(mut guest: StoreContextMut<'_, Guest>, text: WasmList<u8>) -> wasmtime::Result<(bool,)> {
    // What is past the limit is not even copied.
    let room = guest.data().calls.log.room();
    let bytes = text.as_le_slice(&guest);
    let (fits, whole) = (bytes.len() <= room, String::from_utf8_lossy(&bytes[..bytes.len().min(room)]).into_owned());
    if let Some(text) = guest.data_mut().calls.log.admit(whole, fits) {
        send(&mut guest, Request::Log(text)).await?;
    }
    Ok((guest.data().calls.log.is_open(),))
}

/// Hands over a request; waiting until there is room isn't the script's time.
async fn send(guest: &mut StoreContextMut<'_, Guest>, request: Request) -> wasmtime::Result<()> {
    let requests = guest.data().calls.requests.clone();
    pause(guest);
    let sent = requests.send(request).await;
    resume(guest);
    if sent.is_err() {
        return end(guest, ScriptError::Cancelled);
    }
    Ok(())
}

fn pause(guest: &mut StoreContextMut<'_, Guest>) {
    let guest = guest.data_mut();
    guest.stopwatch.pause();
    guest.hold.release();
}

fn resume(guest: &mut StoreContextMut<'_, Guest>) {
    let guest = guest.data_mut();
    guest.stopwatch.resume();
    guest.hold.take();
}

/// What is left of the log.
struct Log {
    room: usize,
    notice: String,
}

impl Log {
    fn new(limit: u32) -> Self {
        let mut notice = format!("\n(the log is cut here: it holds {limit} bytes)\n");
        notice.truncate(limit as usize);
        Self { room: limit as usize - notice.len(), notice }
    }

    /// Bytes.
    fn room(&self) -> usize {
        self.room
    }

    /// Whether anything is still to come: more text, or the notice that there is no more.
    fn is_open(&self) -> bool {
        !self.notice.is_empty()
    }

    /// What of `text` is kept; `whole` is false if it is only the beginning of what was logged.
    fn admit(&mut self, mut text: String, whole: bool) -> Option<String> {
        if whole && text.len() <= self.room {
            self.room -= text.len();
            return (!text.is_empty()).then_some(text);
        }
        text.truncate(text.floor_char_boundary(self.room));
        self.room = 0;
        text.push_str(&std::mem::take(&mut self.notice));
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(limit: u32, texts: &[&str]) -> String {
        let mut log = Log::new(limit);
        let pieces = texts.iter().filter_map(|text| {
            let fits = text.len() <= log.room();
            log.admit((*text).to_owned(), fits)
        });
        pieces.collect()
    }

    #[test]
    fn a_log_that_fits_is_kept_whole() {
        assert_eq!(kept(100, &["one\n", "", "two\n"]), "one\ntwo\n");
    }

    #[test]
    fn a_longer_one_ends_with_a_notice_and_is_never_longer_than_its_limit() {
        let text = kept(100, &["aaaaaaaaaa\n", &"ä".repeat(60), "lost\n", "b"]);
        assert!(text.starts_with("aaaaaaaaaa\nä") && text.ends_with("ä\n(the log is cut here: it holds 100 bytes)\n"), "{text}");
        assert!(text.len() <= 100 && text.len() > 98, "{}", text.len());
        for limit in 0..60 {
            assert!(kept(limit, &["ä", "ää", "äää", "x", &"y".repeat(70), "z"]).len() <= limit as usize);
        }
    }
}
