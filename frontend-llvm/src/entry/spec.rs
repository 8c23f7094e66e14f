//! What users say about the arguments of the entry function.

use std::str::FromStr;

/// The options for the arguments of an entry function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Parameters that point to arrays, with the lengths of these.
    pub arrays: Vec<(String, Length)>,
    /// Parameters that point to texts that end with a zero.
    pub strings: Vec<String>,
    /// Whether pointers are never null.
    pub non_null: bool,
    /// The largest number of elements of an array, and of characters of a text.
    pub max_length: u64,
    /// How many pointers are followed one after the other. Beyond, they point to memory outside of the program.
    pub depth: u32,
    /// Whether global variables have any values, too.
    pub any_globals: bool,
}

/// The length of an array, in elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Length {
    /// Always the same.
    Constant(u64),
    /// The value of another parameter.
    Parameter(String),
}

impl Default for Arguments {
    fn default() -> Self {
        Arguments {
            arrays: Vec::new(),
            strings: Vec::new(),
            non_null: false,
            max_length: 16,
            depth: 2,
            any_globals: false,
        }
    }
}

impl Arguments {
    /// All parameters that are named.
    pub(super) fn named(&self) -> impl Iterator<Item = &str> {
        let arrays = self.arrays.iter().flat_map(|(name, length)| {
            let length = match length {
                Length::Parameter(name) => Some(name.as_str()),
                Length::Constant(_) => None,
            };
            [Some(name.as_str()), length].into_iter().flatten()
        });
        arrays.chain(self.strings.iter().map(String::as_str))
    }

    /// The length of the array that a parameter points to.
    pub(super) fn length_of(&self, parameter: &str) -> Option<&Length> {
        self.arrays.iter().find(|(name, _)| name == parameter).map(|(_, length)| length)
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        if text.is_empty() {
            return Err("a length is missing".into());
        }
        Ok(text.parse().map_or_else(|_| Length::Parameter(text.into()), Length::Constant))
    }
}
