//! The imports `call`, `log` and `output`, and their limits.

use inklings_core::sandbox::{HostError, SandboxLimits, ScriptError};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc::Sender;
use tokio::sync::oneshot;
use wasmtime::component::{Linker, WasmList};
use wasmtime::{StoreContextMut, bail};

use super::Guest;
use crate::abi::{ENDED, MAX_CALL_BYTES, MAX_NAME_BYTES, MAX_PROGRESS_CHARS, MAX_PROGRESS_REPORTS, PROGRESS, SUBMIT};

/// A request of the script to the caller of the run.
#[derive(Debug)]
pub(crate) enum Request {
    Call {
        name: String,
        arguments: Value,
        answer: oneshot::Sender<Result<Value, HostError>>,
    },
    Log(String),
    Output(String),
    /// Log or output reached its limit.
    Truncated,
    Progress {
        fraction: f64,
        text: String,
    },
}

/// The call limits of one run.
pub(crate) struct Calls {
    requests: Sender<Request>,
    log: Bounded,
    output: Bounded,
    result_bytes: u32,
    progress_reports: u32,
}

impl Calls {
    pub(crate) fn new(limits: &SandboxLimits, requests: Sender<Request>) -> Self {
        Self {
            requests,
            log: Bounded::new("log", limits.log_bytes),
            output: Bounded::new("output", limits.result_bytes),
            result_bytes: limits.result_bytes,
            progress_reports: 0,
        }
    }

    fn text(&mut self, stream: Stream) -> &mut Bounded {
        match stream {
            Stream::Log => &mut self.log,
            Stream::Output => &mut self.output,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Stream {
    Log,
    Output,
}

type Answer = Result<Vec<u8>, (&'static str, String)>;

pub(crate) fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    let mut host = linker.instance("inklings:sandbox/host")?;
    host.func_wrap_async("call", |store, (name, arguments): (WasmList<u8>, WasmList<u8>)| {
        Box::new(async move { Ok((call(store, &name, &arguments).await?,)) })
    })?;
    host.func_wrap_async("log", |store, (text,): (WasmList<u8>,)| Box::new(write(store, text, Stream::Log)))?;
    host.func_wrap_async("output", |store, (text,): (WasmList<u8>,)| Box::new(write(store, text, Stream::Output)))
}

/// Refusals are answers, which raise in the script. An error ends the run and can't be caught.
async fn call(mut guest: StoreContextMut<'_, Guest>, name: &WasmList<u8>, arguments: &WasmList<u8>) -> wasmtime::Result<Answer> {
    if name.len() > MAX_NAME_BYTES {
        return Ok(bad_call("the function name is too long"));
    }
    let name = String::from_utf8_lossy(name.as_le_slice(&guest)).into_owned();
    let (limit, bytes) = (guest.data().calls.result_bytes, arguments.len());
    if name == SUBMIT && bytes > limit as usize {
        return end(&mut guest, ScriptError::ResultTooLarge { bytes: bytes as u64, limit });
    }
    if name != SUBMIT && bytes > MAX_CALL_BYTES {
        return Ok(bad_call(format!("the arguments have {bytes} bytes, the limit is {MAX_CALL_BYTES}")));
    }
    let arguments: Value = match serde_json::from_slice(arguments.as_le_slice(&guest)) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(bad_call(format!("the arguments aren't JSON: {error}"))),
    };
    match name.as_str() {
        SUBMIT => Ok(guest.data_mut().result.submit(arguments).map(|()| done()).ok_or_else(|| ("failed", SECOND_SUBMIT.to_owned()))),
        ENDED => {
            guest.data_mut().result.report(arguments);
            Ok(Ok(done()))
        }
        PROGRESS => progress(guest, arguments).await,
        _ => forward(guest, name, arguments).await,
    }
}

const SECOND_SUBMIT: &str = "submit can be called only once";

fn done() -> Vec<u8> {
    b"null".to_vec()
}

fn bad_call(why: impl Into<String>) -> Answer {
    Err(("bad-call", why.into()))
}

/// Ends the run with `outcome`.
fn end<T>(guest: &mut StoreContextMut<'_, Guest>, outcome: ScriptError) -> wasmtime::Result<T> {
    guest.data_mut().result.force(outcome);
    bail!("the run was ended by the host")
}

async fn forward(mut guest: StoreContextMut<'_, Guest>, name: String, arguments: Value) -> wasmtime::Result<Answer> {
    let (answer, received) = oneshot::channel();
    send(&mut guest, Request::Call { name, arguments, answer }).await?;
    pause(&mut guest);
    let result = received.await;
    resume(&mut guest);
    match result {
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
        return Ok(bad_call("progress takes a fraction from 0 to 1 and a text"));
    };
    let calls = &mut guest.data_mut().calls;
    if calls.progress_reports < MAX_PROGRESS_REPORTS {
        calls.progress_reports += 1;
        let text = text.chars().take(MAX_PROGRESS_CHARS).collect();
        send(&mut guest, Request::Progress { fraction: fraction.clamp(0.0, 1.0), text }).await?;
    }
    Ok(Ok(done()))
}

/// Returns whether the stream accepts more.
async fn write(mut guest: StoreContextMut<'_, Guest>, text: WasmList<u8>, stream: Stream) -> wasmtime::Result<(bool,)> {
    // Text beyond the limit isn't copied.
    let room = guest.data_mut().calls.text(stream).room();
    let bytes = text.as_le_slice(&guest);
    let (fits, whole) = (bytes.len() <= room, String::from_utf8_lossy(&bytes[..bytes.len().min(room)]).into_owned());
    let was_open = guest.data_mut().calls.text(stream).is_open();
    if let Some(text) = guest.data_mut().calls.text(stream).admit(whole, fits) {
        let piece = match stream {
            Stream::Log => Request::Log(text),
            Stream::Output => Request::Output(text),
        };
        send(&mut guest, piece).await?;
    }
    let is_open = guest.data_mut().calls.text(stream).is_open();
    if was_open && !is_open {
        send(&mut guest, Request::Truncated).await?;
    }
    Ok((is_open,))
}

/// Queues a request. The wait for capacity isn't counted as the script's time.
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

/// The remaining capacity of a stream of text.
struct Bounded {
    room: usize,
    notice: String,
}

impl Bounded {
    fn new(name: &str, limit: u32) -> Self {
        let mut notice = format!("\n[{name} truncated at {limit} bytes]\n");
        notice.truncate(limit as usize);
        Self { room: limit as usize - notice.len(), notice }
    }

    /// In bytes.
    fn room(&self) -> usize {
        self.room
    }

    /// False once the truncation notice was written.
    fn is_open(&self) -> bool {
        !self.notice.is_empty()
    }

    /// The part of `text` that fits. `whole`: false if `text` was already truncated.
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
        let mut log = Bounded::new("log", limit);
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
        assert!(text.starts_with("aaaaaaaaaa\nä") && text.ends_with("ä\n[log truncated at 100 bytes]\n"), "{text}");
        assert!(text.len() <= 100 && text.len() > 98, "{}", text.len());
        for limit in 0..60 {
            assert!(kept(limit, &["ä", "ää", "äää", "x", &"y".repeat(70), "z"]).len() <= limit as usize);
        }
    }
}
