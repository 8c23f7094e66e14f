//! Constants as values and as initial bytes of globals.

use clew_verifier::expr::{Sort, Value as Concrete};

use super::{Lifter, Val};
use crate::ir::{Constant, Opcode, Type, Value};
use crate::pointsto::{Object, gep_offset};

/// The initial bytes of an object.
pub(super) struct InitialBytes {
    /// The bytes up to the last nonzero one.
    pub data: Vec<u8>,
    /// Whether the object is undefined. Undefined parts of a defined object are padding, which compilers set to zero.
    pub undefined: bool,
}

impl Lifter {
    /// The zero value of a type.
    pub(super) fn zero(&mut self, ty: Type) -> Val {
        if ty.is_aggregate() {
            return Val::Aggregate((0..ty.element_count()).map(|i| self.zero(ty.element(i))).collect());
        }
        match self.sort(ty).and_then(|sort| Concrete::from_raw(sort, 0)) {
            Some(zero) => Val::Scalar(self.builder.pool.constant(zero)),
            None => Val::Undefined,
        }
    }

    /// A constant as a value. Constant expressions fold, since all addresses are constants.
    pub(super) fn constant(&mut self, value: Value) -> Val {
        let ty = value.ty();
        match value.constant() {
            Some(Constant::Integer(n)) => match self.sort(ty) {
                Some(sort) => {
                    let value = Concrete::from_raw(sort, n).expect("a scalar sort");
                    Val::Scalar(self.builder.pool.constant(value))
                }
                None => Val::Undefined,
            },
            Some(Constant::WideInteger) => {
                let text = value.print();
                let limbs =
                    super::wide::parse_limbs(text.rsplit(' ').next().unwrap_or(""), ty.element_count() as usize);
                let Some(limbs) = limbs else { return Val::Undefined };
                let parts = limbs.into_iter().enumerate().map(|(n, limb)| {
                    let sort = self.sort(ty.element(n as u64)).expect("limbs are narrow");
                    let limb = Concrete::from_raw(sort, u128::from(limb)).expect("a scalar sort");
                    Val::Scalar(self.builder.pool.constant(limb))
                });
                Val::Aggregate(parts.collect())
            }
            Some(Constant::Float(format, bits)) => {
                Val::Scalar(self.builder.pool.constant(Concrete::float(format, bits)))
            }
            Some(Constant::Null | Constant::Zero) => self.zero(ty),
            Some(Constant::Aggregate) => {
                Val::Aggregate((0..value.operand_count()).map(|i| self.constant(value.operand(i))).collect())
            }
            Some(Constant::Data) => {
                Val::Aggregate((0..ty.element_count()).map(|i| self.constant(value.data_element(i))).collect())
            }
            Some(Constant::Function | Constant::IndirectFunction) => {
                let address = self.objects.function(value);
                self.symbol(value, address)
            }
            Some(Constant::Global) => {
                let address = self.fixed_address(Object::Global(value));
                self.symbol(value, address)
            }
            Some(Constant::Alias) => self.constant(value.aliasee()),
            Some(Constant::BlockAddress) => {
                let block = value.block_of_address();
                let address = self.block_address(block);
                self.pointer_constant(address)
            }
            Some(Constant::Expression(opcode)) => self.constant_expression(value, opcode),
            _ => Val::Undefined,
        }
    }

    pub(super) fn block_address(&mut self, block: crate::ir::Block) -> u64 {
        if let Some(&address) = self.block_addresses.get(&block) {
            return address;
        }
        let address = self.objects.new_code();
        self.block_addresses.insert(block, address);
        address
    }

    /// The address of a function or global. An undefined weak symbol may be null.
    fn symbol(&mut self, symbol: Value, address: u64) -> Val {
        let Val::Scalar(address) = self.pointer_constant(address) else { return Val::Undefined };
        if !symbol.is_weak_declaration() {
            return Val::Scalar(address);
        }
        let exists = match self.weak.get(&symbol) {
            Some(&var) => var,
            None => {
                let var = self.model_var(&format!("{}.exists", symbol.name()), Sort::Bool);
                self.weak.insert(symbol, var);
                var
            }
        };
        let exists = self.builder.read(exists);
        let null = self.builder.pool.bits(self.layout.pointer_bits(), 0);
        Val::Scalar(self.builder.pool.ite(exists, address, null))
    }

    fn pointer_constant(&mut self, address: u64) -> Val {
        let bits = self.layout.pointer_bits();
        Val::Scalar(self.builder.pool.bits(bits, u128::from(address)))
    }

    fn constant_expression(&mut self, value: Value, opcode: Opcode) -> Val {
        use clew_verifier::expr::BinaryOp;
        let scalar = |l: &mut Lifter, i: u32| match l.constant(value.operand(i)) {
            Val::Scalar(expr) => Some(expr),
            _ => None,
        };
        let Some(first) = scalar(self, 0) else { return Val::Undefined };
        let width = match self.sort(value.ty()) {
            Some(Sort::Bits(width)) => width,
            _ => return Val::Undefined,
        };
        let result = match opcode {
            Opcode::LLVMGetElementPtr => {
                let (offset, variable) = gep_offset(value, self.layout);
                if !variable.is_empty() {
                    return Val::Undefined;
                }
                let offset = self.builder.pool.bits(width, offset as u128);
                self.builder.pool.add(first, offset)
            }
            Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast => {
                if !matches!(self.builder.pool.sort(first), Sort::Bits(_)) {
                    return Val::Undefined;
                }
                self.builder.pool.zero_extend(first, width)
            }
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor | Opcode::LLVMShl => {
                let Some(second) = scalar(self, 1) else { return Val::Undefined };
                let op = match opcode {
                    Opcode::LLVMAdd => BinaryOp::Add,
                    Opcode::LLVMSub => BinaryOp::Sub,
                    Opcode::LLVMMul => BinaryOp::Mul,
                    Opcode::LLVMShl => BinaryOp::ShiftLeft,
                    _ => BinaryOp::BitXor,
                };
                self.builder.pool.binary(op, first, second)
            }
            _ => return Val::Undefined,
        };
        Val::Scalar(result)
    }

    /// The bytes of an initial value.
    pub(super) fn initial_bytes(&mut self, value: Value) -> InitialBytes {
        let undefined = value.constant() == Some(Constant::Undefined);
        let mut bytes = InitialBytes { data: Vec::new(), undefined };
        self.write_bytes(value, 0, &mut bytes);
        bytes
    }

    fn write_bytes(&mut self, value: Value, at: u64, out: &mut InitialBytes) {
        let ty = value.ty();
        match value.constant() {
            Some(Constant::Zero | Constant::Null | Constant::Undefined) => {}
            Some(Constant::Aggregate) => {
                for i in 0..value.operand_count() {
                    let offset = self.layout.element_offset(ty, u64::from(i));
                    self.write_bytes(value.operand(i), at + offset, out);
                }
            }
            Some(Constant::Data) => match value.data_bytes() {
                Some(data) => write(out, at, &data),
                None => {
                    for i in 0..ty.element_count() {
                        let offset = self.layout.element_offset(ty, i);
                        self.write_bytes(value.data_element(i), at + offset, out);
                    }
                }
            },
            _ => {
                let size = self.layout.store_size(ty) as usize;
                let known = match self.constant(value) {
                    Val::Scalar(expr) => self.builder.pool.as_const(expr),
                    Val::Aggregate(limbs) => {
                        // A wide integer.
                        for (n, limb) in limbs.into_iter().enumerate() {
                            if let Val::Scalar(limb) = limb
                                && let Some(limb) = self.builder.pool.as_const(limb)
                            {
                                write(out, at + 8 * n as u64, &limb.raw().to_le_bytes()[..8]);
                            }
                        }
                        return;
                    }
                    Val::Undefined => None,
                };
                match known {
                    Some(known) => {
                        let mut data = known.raw().to_le_bytes().to_vec();
                        data.truncate(size);
                        write(out, at, &data);
                    }
                    None => out.undefined = true,
                }
            }
        }
    }
}

fn write(out: &mut InitialBytes, at: u64, data: &[u8]) {
    let Some(last) = data.iter().rposition(|&b| b != 0) else { return };
    let (start, end) = (at as usize, at as usize + last + 1);
    if out.data.len() < end {
        out.data.resize(end, 0);
    }
    out.data[start..end].copy_from_slice(&data[..=last]);
}
