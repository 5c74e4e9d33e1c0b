//! JSON-RPC envelopes. The parameters stay unparsed until the job reads them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::protocol::{ErrorData, ErrorKind, LINE_BYTES, RpcError};

#[derive(Debug)]
pub(crate) enum SidecarMessage {
    Call {
        id: u64,
        method: String,
        params: Params,
    },
    Notice {
        method: String,
        params: Params,
    },
    Answer {
        /// None if the process couldn't read the request's id.
        id: Option<u64>,
        outcome: Result<Params, RpcError>,
    },
}

/// Unparsed JSON.
#[derive(Debug)]
pub(crate) struct Params(Box<RawValue>);

impl Params {
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.0.get())
    }
}

#[derive(Deserialize)]
struct Envelope {
    jsonrpc: String,
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Option<Box<RawValue>>,
    // A result of `null` must not read as None.
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    #[serde(default)]
    error: Option<RpcError>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

impl SidecarMessage {
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(line).map_err(|why| why.to_string())?;
        let envelope: Envelope = serde_json::from_str(text).map_err(|why| why.to_string())?;
        if envelope.jsonrpc != "2.0" {
            return Err("not JSON-RPC 2.0".to_owned());
        }
        match envelope {
            Envelope { method: Some(method), params, id, result: None, error: None, .. } => {
                let params = Params(params.map_or_else(|| serde_json::value::to_raw_value(&()), Ok).map_err(|why| why.to_string())?);
                Ok(match id {
                    Some(id) => Self::Call { id, method, params },
                    None => Self::Notice { method, params },
                })
            }
            Envelope { method: None, id: Some(id), result: Some(result), error: None, .. } => {
                Ok(Self::Answer { id: Some(id), outcome: Ok(Params(result)) })
            }
            Envelope { method: None, id, result: None, error: Some(error), .. } => Ok(Self::Answer { id, outcome: Err(error) }),
            _ => Err("neither a request nor a response".to_owned()),
        }
    }
}

pub(crate) fn request(id: u64, method: &str, params: &impl Serialize) -> Result<String, String> {
    #[derive(Serialize)]
    struct Request<'a, T> {
        jsonrpc: &'static str,
        id: u64,
        method: &'a str,
        params: &'a T,
    }
    line(&Request { jsonrpc: "2.0", id, method, params })
}

pub(crate) fn notice(method: &str, params: &impl Serialize) -> Result<String, String> {
    #[derive(Serialize)]
    struct Notice<'a, T> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a T,
    }
    line(&Notice { jsonrpc: "2.0", method, params })
}

/// A result that can't be serialized becomes an error response.
pub(crate) fn answer(id: u64, outcome: Result<impl Serialize, RpcError>) -> String {
    #[derive(Serialize)]
    struct Answer<T> {
        jsonrpc: &'static str,
        id: u64,
        result: T,
    }
    #[derive(Serialize)]
    struct Failure<'a> {
        jsonrpc: &'static str,
        id: u64,
        error: &'a RpcError,
    }
    let failure = |error: &RpcError| line(&Failure { jsonrpc: "2.0", id, error }).unwrap_or_default();
    match outcome {
        Ok(result) => line(&Answer { jsonrpc: "2.0", id, result }).unwrap_or_else(|why| failure(&error(ErrorKind::Tool, why))),
        Err(error) => failure(&error),
    }
}

pub(crate) fn error(kind: ErrorKind, message: impl Into<String>) -> RpcError {
    let code = if kind == ErrorKind::Protocol { -32600 } else { -32000 };
    RpcError { code, message: message.into(), data: ErrorData { kind } }
}

fn line(message: &impl Serialize) -> Result<String, String> {
    let mut text = serde_json::to_string(message).map_err(|why| why.to_string())?;
    if text.len() > LINE_BYTES {
        return Err(format!("the values are too large: {} MiB, the limit is {} MiB", text.len() >> 20, LINE_BYTES >> 20));
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_message_is_recognized() {
        let read = |text: &str| SidecarMessage::read(text.as_bytes());
        assert!(matches!(read(r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{}}"#), Ok(SidecarMessage::Call { id: 1, .. })));
        assert!(matches!(read(r#"{"jsonrpc":"2.0","method":"ping"}"#), Ok(SidecarMessage::Notice { .. })));
        assert!(matches!(read(r#"{"jsonrpc":"2.0","id":1,"result":null}"#), Ok(SidecarMessage::Answer { id: Some(1), outcome: Ok(_) })));
        let failed = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?","data":{"kind":"protocol"}}}"#;
        assert!(matches!(read(failed), Ok(SidecarMessage::Answer { id: None, outcome: Err(_) })));
        for bad in [
            "",
            "nonsense",
            "[]",
            r#"{"id":1,"result":1}"#,
            r#"{"jsonrpc":"1.0","id":1,"result":1}"#,
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":-1,"result":1}"#,
            r#"{"jsonrpc":"2.0","result":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"a","result":1}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(SidecarMessage::read(b"\xff").is_err());
    }

    #[test]
    fn the_messages_of_both_languages_are_read_and_ours_are_written_like_them() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/contract/sidecar");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let message = &file["message"];
            let ours = match SidecarMessage::read(message.to_string().as_bytes()).unwrap() {
                SidecarMessage::Call { id, method, params } => request(id, &method, &params.0).unwrap(),
                SidecarMessage::Notice { method, params } => notice(&method, &params.0).unwrap(),
                SidecarMessage::Answer { id: Some(id), outcome } => answer(id, outcome.map(|params| params.0)),
                // Only the process says that it couldn't read something.
                SidecarMessage::Answer { id: None, outcome } => {
                    assert_eq!(outcome.unwrap_err().data.kind, ErrorKind::Protocol);
                    continue;
                }
            };
            assert_eq!(serde_json::from_str::<serde_json::Value>(&ours).unwrap(), *message, "{}", path.display());
        }
    }

    #[test]
    fn what_is_too_large_to_send_is_said() {
        let large = "x".repeat(LINE_BYTES);
        assert!(request(1, "execute", &large).unwrap_err().contains("too large"));
        let refused = answer(7, Ok(&large));
        assert!(refused.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"the values are too large"#), "{refused}");
    }
}
