//! Reads lines of bounded length from a pipe.

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Buffer capacity that is kept; more is freed after a long line.
const RETAINED_BYTES: usize = 64 * 1024;

#[derive(Debug)]
pub(crate) struct Lines<R> {
    pipe: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Start of the next line in `buffer`.
    start: usize,
    /// `buffer` has no line end before this offset.
    searched: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadLineError {
    /// The pipe was closed. Bytes after the last line end are discarded.
    End,
    /// Longer than the limit. The rest of the line comes next, unless it is skipped.
    TooLong,
    Failed(String),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// `limit` is the maximum line length in bytes.
    pub(crate) fn new(pipe: R, limit: usize) -> Self {
        Self { pipe, limit, buffer: Vec::new(), start: 0, searched: 0 }
    }

    /// The next line without its end. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Result<&[u8], ReadLineError> {
        loop {
            if let Some(end) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.start..self.searched + end;
                (self.start, self.searched) = (line.end + 1, line.end + 1);
                if line.len() > self.limit {
                    return Err(ReadLineError::TooLong);
                }
                return Ok(&self.buffer[line]);
            }
            self.searched = self.buffer.len();
            if self.searched - self.start > self.limit {
                return Err(ReadLineError::TooLong);
            }
            self.make_room();
            match self.pipe.read_buf(&mut self.buffer).await {
                Ok(0) => return Err(ReadLineError::End),
                Ok(_) => {}
                Err(why) => return Err(ReadLineError::Failed(why.to_string())),
            }
        }
    }

    /// Discards the buffer.
    pub(crate) fn skip(&mut self) {
        self.buffer.clear();
        (self.start, self.searched) = (0, 0);
    }

    /// Moves the rest of the buffer to its start.
    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.len() < RETAINED_BYTES && self.buffer.capacity() > 4 * RETAINED_BYTES {
            self.buffer.shrink_to(RETAINED_BYTES);
        }
        self.buffer.reserve(RETAINED_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_one_by_one_however_they_arrive() {
        let pipe: &[u8] = b"a\n\nbcd\nrest";
        let mut lines = Lines::new(tokio::io::BufReader::with_capacity(2, pipe), 3);
        assert_eq!(lines.next().await, Ok(&b"a"[..]));
        assert_eq!(lines.next().await, Ok(&b""[..]));
        assert_eq!(lines.next().await, Ok(&b"bcd"[..]));
        assert_eq!(lines.next().await, Err(ReadLineError::TooLong));
        let mut lines = Lines::new(&b"abcd\n"[..], 3);
        assert_eq!(lines.next().await, Err(ReadLineError::TooLong));
        let mut lines = Lines::new(&b"abc"[..], 3);
        assert_eq!(lines.next().await, Err(ReadLineError::End));
    }

    #[tokio::test]
    async fn a_dropped_future_loses_nothing() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut lines = Lines::new(reader, 100);
        tokio::io::AsyncWriteExt::write_all(&mut writer, b"ab").await.unwrap();
        assert!(futures_util::FutureExt::now_or_never(lines.next()).is_none());
        tokio::io::AsyncWriteExt::write_all(&mut writer, b"c\nd").await.unwrap();
        assert_eq!(lines.next().await, Ok(&b"abc"[..]));
    }

    #[tokio::test]
    async fn a_long_line_doesnt_keep_its_memory() {
        let long = [vec![b'x'; 4 << 20], b"\ny\n".to_vec()].concat();
        let mut lines = Lines::new(&*long, 8 << 20);
        assert_eq!(lines.next().await.map(<[u8]>::len), Ok(4 << 20));
        assert_eq!(lines.next().await, Ok(&b"y"[..]));
        assert_eq!(lines.next().await, Err(ReadLineError::End));
        assert!(lines.buffer.capacity() <= 4 * RETAINED_BYTES, "{}", lines.buffer.capacity());
    }
}
