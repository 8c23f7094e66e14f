//! The bitcode of objects for link-time optimisation: linkers see only the modules of clang in them.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use object::read::archive::ArchiveFile;

use crate::command::{Command, Language};
use crate::section::modules_of_lto_object;

/// The modules among the files of a link.
#[derive(Default)]
pub struct LtoModules {
    /// Those of objects.
    pub linked: Vec<Vec<u8>>,
    /// Those of members of archives, which are linked if they are needed.
    pub offered: Vec<Vec<u8>>,
}

impl LtoModules {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.linked.is_empty() && self.offered.is_empty()
    }
}

/// The modules of objects and archives of `-flto` that a command links.
pub fn lto_modules(command: &Command) -> LtoModules {
    let mut modules = LtoModules::default();
    for input in command.inputs.iter().filter(|input| input.language == Language::Linked) {
        match magic(&input.path).as_ref().map(|magic| &magic[..]) {
            Some([b'B', b'C', 0xC0, 0xDE, ..]) => {
                let bytes = fs::read(&input.path).unwrap_or_default();
                modules.linked.extend(modules_of_lto_object(&bytes).map(<[u8]>::to_vec));
            }
            Some(b"!<arch>\n") => modules.offered.extend(members(&input.path)),
            _ => {}
        }
    }
    modules
}

fn magic(path: &Path) -> Option<[u8; 8]> {
    let mut magic = [0; 8];
    File::open(path).ok().filter(|_| path.is_file())?.read_exact(&mut magic).ok()?;
    Some(magic)
}

/// The modules of members of an archive that are objects of `-flto`.
fn members(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap_or_default();
    let Ok(archive) = ArchiveFile::parse(bytes.as_slice()) else { return Vec::new() };
    let members = archive.members().flatten().filter_map(|member| member.data(bytes.as_slice()).ok());
    members.filter_map(modules_of_lto_object).map(<[u8]>::to_vec).collect()
}
