//! Answers that another part of the file was sent for.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use inklings_registry::transport::{Request, TransportError, connect};
use url::Url;

#[tokio::test]
async fn another_range_than_the_wanted_one_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    thread::spawn(move || {
        for range in ["bytes 0-9/10", "bytes 6-9/10", "junk", "bytes 5-9/10"] {
            let mut connection = listener.accept().unwrap().0;
            let _ = connection.read(&mut [0; 4_096]).unwrap();
            write!(connection, "HTTP/1.1 206 Partial\r\nContent-Range: {range}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        }
    });
    let transport = connect(&address, &[]).unwrap();
    let request = Request { start: 5, ..Request::whole("packages/a") };
    for _ in 0..3 {
        assert!(matches!(transport.get(request).await, Err(TransportError::Invalid(_))));
    }
    transport.get(request).await.unwrap();
    assert!(matches!(connect(&Url::parse("ftp://host/").unwrap(), &[]), Err(TransportError::Address(_))));
}
