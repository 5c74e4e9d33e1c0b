//! Against DNS rebinding and requests that web pages send.

use axum::http::{HeaderMap, header};

/// Why a request is refused: it is to another name than this machine's, which a page reaches by letting its own name point here, or a page of
/// another origin sends it.
pub(super) fn refused(headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
        (Some(host), None) if is_loopback(host) => host,
        _ => return Some("the Host header doesn't name this machine's loopback address"),
    };
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|authority| authority.eq_ignore_ascii_case(host));
    let is_allowed = origins.all(|origin| origin.to_str().is_ok_and(is_own));
    (!is_allowed).then_some("web pages of other origins can't call this server")
}

fn is_loopback(authority: &str) -> bool {
    let is_port = |text: &str| text.parse::<u16>().is_ok() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => authority,
    };
    name.eq_ignore_ascii_case("localhost") || matches!(name, "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn only_loopback_names_are_hosts() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:4317", "[::1]", "[::1]:4317"] {
            assert!(is_loopback(host), "{host}");
        }
        let foreign = [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "evil.example:127.0.0.1",
            "localhost:",
            "localhost:x",
            "localhost:+80",
            "localhost:99999",
            "user@localhost",
            "127.0.0.2",
            "0.0.0.0",
            "::1",
            "localhost:80:80",
        ];
        for host in foreign {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn requests_of_other_origins_are_refused() {
        let check = |pairs: &[(HeaderName, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(name, HeaderValue::from_static(value));
            }
            refused(&headers)
        };
        let host = (header::HOST, "localhost:4317");
        let origin = |value| (header::ORIGIN, value);
        assert_eq!(check(std::slice::from_ref(&host)), None);
        assert_eq!(check(&[host.clone(), origin("http://localhost:4317")]), None);
        assert!(check(&[]).is_some());
        assert!(check(&[host.clone(), host.clone()]).is_some(), "two hosts");
        for foreign in ["http://evil.example", "null", "https://localhost:4317", "http://localhost:1", "http://localhost:4317.evil.example"]
        {
            assert!(check(&[host.clone(), origin(foreign)]).is_some(), "{foreign}");
            assert!(check(&[host.clone(), origin("http://localhost:4317"), origin(foreign)]).is_some(), "{foreign}");
        }
    }
}
