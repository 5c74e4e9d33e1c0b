//! Archives of uncompressed files with arbitrary names and attributes. Mutating a complete archive rarely yields valid
//! checksums, so the fuzzer mutates a description from which a consistent archive is built. The system
//! tests use it as well.

/// Builds an archive from a description: entries separated by 0xff, each a mode, a name, a zero byte and the content.
#[must_use]
pub fn of(description: &[u8]) -> Vec<u8> {
    let (mut bytes, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for entry in description.split(|byte| *byte == 0xff).take(600) {
        let [kind, rest @ ..] = entry else { continue };
        let mut parts = rest.splitn(2, |byte| *byte == 0);
        let (name, content) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let offset = length(&bytes);
        let about = about(name, content);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&about);
        bytes.extend_from_slice(&[name, content].concat());
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&about);
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(mode(*kind) << 16).to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(name);
        count += 1;
    }
    let (size, offset) = (length(&directory), length(&bytes));
    bytes.append(&mut directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&[count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend_from_slice(&[size.to_le_bytes(), offset.to_le_bytes()].concat());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}

/// The common fields of both headers of an entry: version, flags, method, time, checksum, sizes and name length.
fn about(name: &[u8], content: &[u8]) -> Vec<u8> {
    let sizes = [checksum(content), length(content), length(content)].map(u32::to_le_bytes).concat();
    let name = u16::try_from(name.len()).unwrap_or(u16::MAX).to_le_bytes();
    [&[0x14, 0, 0, 8, 0, 0, 0, 0, 0x21, 0][..], &sizes, &name, &[0, 0]].concat()
}

fn mode(kind: u8) -> u32 {
    match kind {
        b'x' => 0o100_755,
        b'l' => 0o120_777,
        b'd' => 0o040_755,
        b'p' => 0o010_644,
        b'c' => 0o020_644,
        b'0' => 0,
        _ => 0o100_644,
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

/// CRC-32 as used in zip archives.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}
