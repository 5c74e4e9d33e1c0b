//! A virtual screen, and whether anything is painted on it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// An X server with its frame buffer in a file.
pub(super) struct Screen {
    server: Child,
    memory: PathBuf,
    number: u32,
}

impl Screen {
    pub(super) fn start() -> Result<Self> {
        let memory = std::env::temp_dir().join(format!("inklings-screen{}", std::process::id()));
        fs::create_dir_all(&memory).with_context(|| format!("cannot make {}", memory.display()))?;
        let mut server = Command::new("Xvfb")
            // The clients run as another user, that of the minimal system.
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset", "-ac", "-fbdir"])
            .arg(&memory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start Xvfb")?;
        let mut line = String::new();
        let output = server.stdout.take().context("Xvfb has no output")?;
        BufReader::new(output).read_line(&mut line).context("Xvfb printed no display number")?;
        let number = line.trim().parse().context("Xvfb ended before it opened a display")?;
        Ok(Self { server, memory, number })
    }

    pub(super) fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// The socket for clients without access to the machine's network.
    pub(super) fn socket(&self) -> PathBuf {
        PathBuf::from(format!("/tmp/.X11-unix/X{}", self.number))
    }

    /// Waits until the screen has at least this many colors. Text has many, an empty window doesn't.
    pub(super) fn painted(&self, colors: usize, deadline: Duration, mut alive: impl FnMut() -> Result<()>) -> Result<usize> {
        let started = Instant::now();
        loop {
            alive()?;
            let file = self.memory.join("Xvfb_screen0");
            let found = count_colors(&fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
            if found >= colors {
                return Ok(found);
            }
            if started.elapsed() > deadline {
                bail!("no window was painted within {} s: the screen has {found} colors", deadline.as_secs());
            }
            thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // The server may have exited already.
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.memory);
    }
}

/// The number of colors in an X window dump. Its header is big-endian, its pixels have 32 bits.
fn count_colors(dump: &[u8]) -> usize {
    let field = |at: usize| -> Option<usize> {
        let bytes: [u8; 4] = dump.get(at * 4..at * 4 + 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    };
    let (Some(header), Some(entries)) = (field(0), field(19)) else { return 0 };
    let Some(pixels) = dump.get(header + entries * 12..) else { return 0 };
    pixels.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect::<std::collections::BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_counted_behind_header_and_color_map() {
        let mut dump = vec![0_u8; 100 + 12];
        dump[0..4].copy_from_slice(&100_u32.to_be_bytes());
        dump[19 * 4..20 * 4].copy_from_slice(&1_u32.to_be_bytes());
        for pixel in [[1, 2, 3, 0], [1, 2, 3, 9], [4, 5, 6, 0]] {
            dump.extend(pixel);
        }
        assert_eq!(count_colors(&dump), 2);
        assert_eq!(count_colors(&[]), 0);
    }
}
