//! The addresses of globals, stack slots and functions.

use rustc_hash::FxHashMap;

use clew_verifier::cfa::program::AddressSpace;

use super::ModelVars;
use crate::ir::Value;
use crate::pointsto::Object;

/// The assignment of addresses.
pub struct Objects {
    addresses: FxHashMap<Object, u64>,
    functions: FxHashMap<Value, u64>,
    names: Vec<(u64, u64, Box<str>)>,
    function_names: Vec<(u64, Box<str>)>,
    base: u64,
    next: u64,
    next_code: u64,
    /// The first address of the heap.
    pub heap_base: u64,
    /// The first address of the dynamic stack.
    pub stack_base: u64,
    /// The minimum distance of heap objects: a power of two.
    pub heap_slot: u64,
    /// The end of the heap.
    pub heap_end: u64,
}

/// The minimum distance between objects, so that small overruns do not reach the next one.
pub(super) const GAP: u64 = 256;

/// The base of objects that do not fit below the heap.
const LARGE_OBJECT_BASE: u64 = 0x7800_0000_0000_0000;

/// The base of code addresses, below all data. What the program does not define is below it.
const CODE_BASE: u64 = 0x1000_0000;

impl Objects {
    /// An empty address space for pointers of `pointer_bits` bits.
    pub fn new(pointer_bits: u16) -> Objects {
        let wide = pointer_bits > 32;
        let base = 0x1100_0000;
        Objects {
            addresses: FxHashMap::default(),
            functions: FxHashMap::default(),
            names: Vec::new(),
            function_names: Vec::new(),
            base,
            next: base,
            next_code: CODE_BASE,
            // Above the heap if possible, so that allocations of nearly any size succeed.
            stack_base: if wide { 0x7000_0000_0000_0000 } else { 0x3000_0000 },
            // Below 4 GiB even on 64-bit targets: programs that distinguish addresses from error codes expect either
            // end of the range.
            heap_base: 0x5000_0000,
            heap_slot: if wide { 0x10_0000 } else { 0x1000 },
            heap_end: if wide { 0x6fff_ffff_0000_0000 } else { 0xffff_0000 },
        }
    }

    /// The address of an object that has got one.
    pub fn known(&self, object: Object) -> Option<u64> {
        self.addresses.get(&object).copied()
    }

    /// The address of an object with a fixed address.
    pub fn fixed(&mut self, object: Object, bytes: u64, alignment: u64, name: &str) -> u64 {
        if let Some(&address) = self.addresses.get(&object) {
            return address;
        }
        let alignment = alignment.max(16).next_power_of_two();
        let mut address = self.next.next_multiple_of(alignment);
        // Objects that would overlap the heap are placed above everything else.
        let end = address.saturating_add(bytes).saturating_add(GAP);
        if self.heap_end > u64::from(u32::MAX) && address < self.heap_base && end > self.heap_base {
            address = LARGE_OBJECT_BASE.next_multiple_of(alignment);
        }
        self.next = address.saturating_add(bytes).saturating_add(GAP);
        self.names.push((address, bytes, name.into()));
        self.addresses.insert(object, address);
        address
    }

    /// A valid address at which no object is.
    pub fn reserve(&mut self) -> u64 {
        let address = self.next.next_multiple_of(16);
        self.next = address + GAP;
        address
    }

    /// Names an object outside of the program.
    pub fn name_outside(&mut self, address: u64, bytes: u64, name: &str) {
        self.names.insert(0, (address, bytes, name.into()));
    }

    /// The address of a function.
    pub fn function(&mut self, function: Value) -> u64 {
        if let Some(&address) = self.functions.get(&function) {
            return address;
        }
        let address = self.new_code();
        self.function_names.push((address, function.name().into()));
        self.functions.insert(function, address);
        address
    }

    /// The range of the addresses of functions.
    pub fn code(&self) -> (u64, u64) {
        (CODE_BASE, self.base - 1)
    }

    /// A new code address.
    pub fn new_code(&mut self) -> u64 {
        self.next_code += 16;
        self.next_code
    }

    /// The end of the addresses that objects outside of the program may have.
    pub fn outside_end(&self) -> u64 {
        CODE_BASE
    }

    /// The resulting address space.
    pub fn address_space(&self, model: &ModelVars, has_outside: bool) -> AddressSpace {
        AddressSpace {
            fixed: self.base..self.next,
            outside: if has_outside { AddressSpace::NULL_PAGE..self.outside_end() } else { 0..0 },
            heap_base: self.heap_base,
            heap_top: model.heap_top,
            stack_base: self.stack_base,
            stack_top: model.stack_top,
            functions: self.function_names.clone(),
            objects: self.names.clone(),
        }
    }
}
