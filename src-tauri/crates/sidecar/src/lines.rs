//! Lines from a pipe, none of them longer than a limit.

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// What is kept for the next line; more is given back after a long one.
const RETAINED_BYTES: usize = 64 * 1024;

/// A pipe that is read line by line.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    pipe: R,
    limit: usize,
    held: Vec<u8>,
    /// Where the next line begins in `held`.
    start: usize,
    /// Up to where no end of a line was found.
    searched: usize,
}

/// Why there is no line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadLineError {
    /// The pipe was closed; what came after the last line is no line.
    End,
    /// It is longer than the limit. What comes next is the rest of it, unless that is skipped.
    TooLong,
    /// Reading failed.
    Failed(String),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Of at most `limit` bytes.
    pub(crate) fn new(pipe: R, limit: usize) -> Self {
        Self { pipe, limit, held: Vec::new(), start: 0, searched: 0 }
    }

    /// The next line without its end. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<&[u8], ReadLineError> {
        loop {
            if let Some(end) = self.held[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.start..self.searched + end;
                (self.start, self.searched) = (line.end + 1, line.end + 1);
                if line.len() > self.limit {
                    return Err(ReadLineError::TooLong);
                }
                return Ok(&self.held[line]);
            }
            self.searched = self.held.len();
            if self.searched - self.start > self.limit {
                return Err(ReadLineError::TooLong);
            }
            self.make_room();
            match self.pipe.read_buf(&mut self.held).await {
                Ok(0) => return Err(ReadLineError::End),
                Ok(_) => {}
                Err(why) => return Err(ReadLineError::Failed(why.to_string())),
            }
        }
    }

    /// Forgets what is held.
    pub(crate) fn skip(&mut self) {
        self.held.clear();
        (self.start, self.searched) = (0, 0);
    }

    /// Moves what is left to the front.
    fn make_room(&mut self) {
        self.held.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.held.len() < RETAINED_BYTES && self.held.capacity() > 4 * RETAINED_BYTES {
            self.held.shrink_to(RETAINED_BYTES);
        }
        self.held.reserve(RETAINED_BYTES);
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
        assert!(lines.held.capacity() <= 4 * RETAINED_BYTES, "{}", lines.held.capacity());
    }
}
