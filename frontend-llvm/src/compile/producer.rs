//! The LLVM version that wrote bitcode, which LLVM's own errors often omit.

/// The version in the identification block, such as `19.1.7`. The block comes first and is short. Its text is in the
/// 6-bit encoding of bitcode, at an arbitrary bit offset.
pub fn llvm_version(bitcode: &[u8]) -> Option<String> {
    const BLOCK_BYTES: usize = 64;
    let bits = Bits(&bitcode[..bitcode.len().min(BLOCK_BYTES)]);
    let text_at = |start: usize| (0..).map_while(move |i| bits.char6(start + 6 * i));
    let start = (0..bits.0.len() * 8).find(|&start| text_at(start).take(4).eq("LLVM".chars()))?;
    let version: String = text_at(start).skip(4).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    // The length of the text is ignored, so a trailing dot may belong to what follows.
    (!version.is_empty()).then(|| version.trim_end_matches('.').to_string())
}

/// A bit stream, least significant bit of each byte first.
#[derive(Clone, Copy)]
struct Bits<'a>(&'a [u8]);

impl Bits<'_> {
    fn char6(self, start: usize) -> Option<char> {
        let code = (0..6).try_fold(0usize, |code, i| {
            let byte = self.0.get((start + i) / 8)?;
            Some(code | usize::from(byte >> ((start + i) % 8) & 1) << i)
        })?;
        Some(char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"[code]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_no_version() {
        assert_eq!(llvm_version(b""), None);
        assert_eq!(llvm_version(b"BC\xC0\xDE"), None);
        assert_eq!(llvm_version(&[0xA5; 100]), None);
    }

    #[test]
    fn written_bitcode_has_our_version() {
        let context = inkwell::context::Context::create();
        let bitcode = context.create_module("m").write_bitcode_to_memory();
        let version = llvm_version(bitcode.as_slice()).expect("LLVM names itself");
        assert!(version.starts_with(&format!("{}.", super::super::LLVM_VERSION)), "{version}");
    }
}
