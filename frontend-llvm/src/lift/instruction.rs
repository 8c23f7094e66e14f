//! Computing instructions: arithmetic, casts, comparisons; aggregates and vectors element by element.

use clew_verifier::cfa::Havoc;
use clew_verifier::expr::{BinaryOp, Expr, Sort, UnaryOp};
use llvm_sys::{LLVMAtomicRMWBinOp as Rmw, LLVMIntPredicate as Int, LLVMRealPredicate as Real};

use super::function::{FunctionLifter, describe};
use super::memory::{Readable, is_compared};
use super::{Lifter, Val};
use crate::ir::{Opcode, Predicate, Type, TypeKind, Value};

impl FunctionLifter<'_> {
    /// Lifts one instruction.
    pub fn instruction(&mut self, i: Value) {
        use Opcode::*;
        let opcode = i.opcode();
        match opcode {
            LLVMAlloca => self.alloca(i),
            LLVMLoad => {
                let value = match self.readable(i.operand(0)) {
                    Readable::Object(pointer) => {
                        let value = self.load(pointer, i.ty());
                        self.loaded(i, pointer.cell.node, value)
                    }
                    Readable::Anything => {
                        let why = match is_compared(i.operand(0)) {
                            // It may be that of an object, whose contents are not arbitrary: a violation needs evidence.
                            true => Havoc::External(
                                self.l.builder.external("a read through a pointer that was never set", false),
                            ),
                            false => Havoc::Undefined,
                        };
                        self.any_result(i, why);
                        return;
                    }
                    Readable::Nothing => Val::Undefined,
                };
                self.define(i, value);
            }
            LLVMStore if super::stack::is_write_only(i.operand(1)) && !self.l.is_declared(i.operand(1)) => {}
            LLVMStore if self.is_return_statement(i) => {
                let value = self.scalar(i.operand(0));
                self.return_scalar(value);
                self.done.insert(i.block().terminator());
            }
            LLVMStore => {
                let value = self.value(i.operand(0));
                let Some(pointer) = self.pointer(i.operand(1)) else { return };
                self.store(pointer, value, i.operand(0).ty());
            }
            LLVMFence | LLVMAtomicRMW | LLVMAtomicCmpXchg => {
                self.l.is_concurrent = true;
                match opcode {
                    LLVMAtomicRMW => self.atomic_rmw(i),
                    LLVMAtomicCmpXchg => self.compare_exchange(i),
                    _ => {}
                }
            }
            LLVMGetElementPtr => {
                let value = self.element_pointer(i);
                self.define(i, value);
            }
            LLVMPHI => self.phi(i),
            LLVMCall | LLVMInvoke => self.call(i),
            LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMResume => self.terminator(i),
            LLVMLandingPad => self.landing_pad(i),
            LLVMCallBr => self.unsupported("asm goto"),
            LLVMVAArg => {
                self.unsupported("the instruction va_arg");
                self.define(i, Val::Undefined);
            }
            LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad | LLVMCatchSwitch => {
                self.unsupported("Windows exception handling");
            }
            _ => {
                let operands: Vec<Val> = i.operands().map(|o| self.value(o)).collect();
                let value = self.compute(i, opcode, &operands);
                self.define(i, value);
            }
        }
    }

    /// The result of a computing instruction.
    fn compute(&mut self, i: Value, opcode: Opcode, operands: &[Val]) -> Val {
        use Opcode::*;
        self.check_rounding_of(i, opcode, operands);
        let ty = i.ty();
        let is_wide = ty.is_wide_integer() || i.operands().next().is_some_and(|o| o.ty().is_wide_integer());
        match opcode {
            LLVMExtractValue => {
                let mut value = operands[0].clone();
                for index in i.indices() {
                    value = match value {
                        Val::Aggregate(parts) => parts[index as usize].clone(),
                        _ => Val::Undefined,
                    };
                }
                value
            }
            LLVMInsertValue => self.insert(operands[0].clone(), ty, &i.indices(), operands[1].clone()),
            LLVMExtractElement => {
                let vector = i.operand(0).ty();
                let parts = self.parts_of(operands[0].clone(), vector);
                let index = self.scalar_of(operands[1].clone(), i.operand(1).ty());
                match self.as_number(index) {
                    Some(n) => parts.get(n as usize).cloned().unwrap_or(Val::Undefined),
                    None => self.choose(&parts, index, ty),
                }
            }
            LLVMInsertElement => {
                let mut parts = self.parts_of(operands[0].clone(), ty);
                let index = self.scalar_of(operands[2].clone(), i.operand(2).ty());
                match self.as_number(index) {
                    Some(n) if (n as usize) < parts.len() => parts[n as usize] = operands[1].clone(),
                    Some(_) => return Val::Undefined,
                    None => {
                        let element = ty.element(0);
                        let new = self.scalar_of(operands[1].clone(), element);
                        for (n, part) in parts.iter_mut().enumerate() {
                            let old = self.scalar_of(part.clone(), element);
                            let here = self.is_number(index, n as u128);
                            *part = Val::Scalar(self.l.builder.pool.ite(here, new, old));
                        }
                    }
                }
                Val::Aggregate(parts)
            }
            LLVMShuffleVector => {
                let vector = i.operand(0).ty();
                let mut both = self.parts_of(operands[0].clone(), vector);
                both.extend(self.parts_of(operands[1].clone(), vector));
                let pick = |n: Option<u64>| n.and_then(|n| both.get(n as usize).cloned()).unwrap_or(Val::Undefined);
                Val::Aggregate(i.shuffle_mask().into_iter().map(pick).collect())
            }
            LLVMFreeze => self.freeze(operands[0].clone(), ty),
            LLVMSelect => {
                let vector_condition = i.operand(0).ty().is_aggregate();
                if ty.is_aggregate() {
                    let then = self.parts_of(operands[1].clone(), ty);
                    let otherwise = self.parts_of(operands[2].clone(), ty);
                    let conditions = match vector_condition {
                        true => self.parts_of(operands[0].clone(), i.operand(0).ty()),
                        false => vec![operands[0].clone(); then.len()],
                    };
                    let picks = conditions.into_iter().zip(then).zip(otherwise).enumerate();
                    let picks = picks.map(|(n, ((c, a), b))| self.select(c, a, b, ty.element(n as u64)));
                    return Val::Aggregate(picks.collect());
                }
                self.select(operands[0].clone(), operands[1].clone(), operands[2].clone(), ty)
            }
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMICmp | LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv
            | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMFPToUI
            | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
                if is_wide =>
            {
                self.wide_operation(i, opcode, operands).unwrap_or_else(|| {
                    self.unsupported(&format!("{opcode:?} of integers of more than 128 bits").replacen("LLVM", "", 1));
                    Val::Undefined
                })
            }
            LLVMBitCast if ty.is_aggregate() || i.operand(0).ty().is_aggregate() => {
                self.reinterpret(operands[0].clone(), i.operand(0).ty(), ty)
            }
            _ if ty.is_aggregate() => {
                let count = ty.element_count();
                let columns: Vec<Vec<Val>> = operands
                    .iter()
                    .enumerate()
                    .map(|(n, operand)| self.parts_of(operand.clone(), i.operand(n as u32).ty()))
                    .collect();
                let rows = (0..count as usize).map(|row| {
                    let scalars: Vec<Expr> = columns
                        .iter()
                        .enumerate()
                        .map(|(n, column)| self.scalar_of(column[row].clone(), i.operand(n as u32).ty().element(0)))
                        .collect();
                    Val::Scalar(self.scalar_operation(i, opcode, &scalars, ty.element(0)))
                });
                Val::Aggregate(rows.collect())
            }
            _ => {
                if self.l.sort(ty).is_none() || i.operands().any(|o| self.l.sort(o.ty()).is_none()) {
                    let odd = if self.l.sort(ty).is_none() { ty } else { i.operand(0).ty() };
                    self.unsupported(&format!("a computation with {}", describe(odd)));
                    return Val::Undefined;
                }
                let scalars: Vec<Expr> = operands
                    .iter()
                    .enumerate()
                    .map(|(n, o)| self.scalar_of(o.clone(), i.operand(n as u32).ty()))
                    .collect();
                Val::Scalar(self.scalar_operation(i, opcode, &scalars, ty))
            }
        }
    }

    fn scalar_operation(&mut self, i: Value, opcode: Opcode, a: &[Expr], ty: Type) -> Expr {
        use Opcode::*;
        let Some(sort) = self.l.sort(ty) else {
            self.unsupported(&format!("a computation with {}", describe(ty)));
            return a[0];
        };
        let op = match opcode {
            LLVMICmp | LLVMFCmp => return self.compare(i.predicate(opcode), a[0], a[1]),
            LLVMFNeg => return self.l.builder.pool.unary(UnaryOp::FloatNeg, a[0]),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => {
                return self.cast(opcode, a[0], sort);
            }
            LLVMAdd => BinaryOp::Add,
            LLVMSub => BinaryOp::Sub,
            LLVMMul => BinaryOp::Mul,
            LLVMUDiv => BinaryOp::UnsignedDiv,
            LLVMSDiv => BinaryOp::SignedDiv,
            LLVMURem => BinaryOp::UnsignedRem,
            LLVMSRem => BinaryOp::SignedRem,
            LLVMShl => BinaryOp::ShiftLeft,
            LLVMLShr => BinaryOp::ShiftRight,
            LLVMAShr => BinaryOp::ShiftRightSigned,
            LLVMAnd => BinaryOp::BitAnd,
            LLVMOr => BinaryOp::BitOr,
            LLVMXor => BinaryOp::BitXor,
            LLVMFAdd => BinaryOp::FloatAdd,
            LLVMFSub => BinaryOp::FloatSub,
            LLVMFMul => BinaryOp::FloatMul,
            LLVMFDiv => BinaryOp::FloatDiv,
            LLVMFRem => BinaryOp::FloatRem,
            _ => {
                self.unsupported(&format!("the instruction {opcode:?}").replace("LLVM", ""));
                return self.unknown(sort, Havoc::Undefined);
            }
        };
        match sort {
            Sort::Bool => self.bool_operation(op, a[0], a[1]),
            _ => self.l.builder.pool.binary(op, a[0], a[1]),
        }
    }

    /// Arithmetic on single bits.
    fn bool_operation(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let pool = &mut self.l.builder.pool;
        match op {
            BinaryOp::BitAnd | BinaryOp::Mul => pool.and(a, b),
            BinaryOp::BitOr => pool.or(a, b),
            BinaryOp::BitXor | BinaryOp::Add | BinaryOp::Sub => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            _ => {
                // Divisions and shifts, with the semantics of one-bit operators.
                let (a, b) = (pool.bool_to_bits(a, 1), pool.bool_to_bits(b, 1));
                let result = pool.binary(op, a, b);
                let one = pool.bits(1, 1);
                pool.eq(result, one)
            }
        }
    }

    fn cast(&mut self, opcode: Opcode, a: Expr, to: Sort) -> Expr {
        use Opcode::*;
        let pool = &mut self.l.builder.pool;
        match (opcode, pool.sort(a), to) {
            (LLVMZExt, Sort::Bool, Sort::Bits(width)) => pool.bool_to_bits(a, width),
            (LLVMSExt, Sort::Bool, Sort::Bits(width)) => {
                let (ones, zero) = (pool.bits(width, u128::MAX), pool.bits(width, 0));
                pool.ite(a, ones, zero)
            }
            (LLVMTrunc, Sort::Bits(_), Sort::Bool) => {
                let bit = pool.extract(a, 0, 1);
                let one = pool.bits(1, 1);
                pool.eq(bit, one)
            }
            (LLVMSExt, Sort::Bits(_), Sort::Bits(width)) => pool.sign_extend(a, width),
            (
                LLVMZExt | LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr | LLVMAddrSpaceCast,
                Sort::Bits(_),
                Sort::Bits(width),
            ) => pool.zero_extend(a, width),
            (LLVMPtrToInt, Sort::Bits(_), Sort::Bool) => {
                let bit = pool.extract(a, 0, 1);
                let one = pool.bits(1, 1);
                pool.eq(bit, one)
            }
            (LLVMIntToPtr, Sort::Bool, Sort::Bits(width)) => pool.bool_to_bits(a, width),
            (LLVMFPTrunc | LLVMFPExt, _, Sort::Float(format)) => pool.unary(UnaryOp::FloatToFloat(format), a),
            (LLVMUIToFP, Sort::Bits(_), Sort::Float(format)) => pool.unary(UnaryOp::UnsignedToFloat(format), a),
            (LLVMSIToFP, Sort::Bits(_), Sort::Float(format)) => pool.unary(UnaryOp::SignedToFloat(format), a),
            (LLVMUIToFP, Sort::Bool, Sort::Float(format)) => {
                let bits = pool.bool_to_bits(a, 8);
                pool.unary(UnaryOp::UnsignedToFloat(format), bits)
            }
            (LLVMSIToFP, Sort::Bool, Sort::Float(format)) => {
                let bits = pool.bool_to_bits(a, 8);
                let bits = pool.unary(UnaryOp::Neg, bits);
                pool.unary(UnaryOp::SignedToFloat(format), bits)
            }
            (LLVMFPToUI, _, Sort::Bits(width)) => pool.unary(UnaryOp::FloatToUnsigned(width), a),
            (LLVMFPToSI, _, Sort::Bits(width)) => pool.unary(UnaryOp::FloatToSigned(width), a),
            (LLVMFPToUI | LLVMFPToSI, _, Sort::Bool) => {
                let bits = pool.unary(UnaryOp::FloatToSigned(8), a);
                let zero = pool.bits(8, 0);
                let same = pool.eq(bits, zero);
                pool.not(same)
            }
            _ => self.convert(a, to),
        }
    }

    fn compare(&mut self, predicate: Predicate, a: Expr, b: Expr) -> Expr {
        let pool = &mut self.l.builder.pool;
        match predicate {
            Predicate::Int(predicate) => {
                let (a, b) = match pool.sort(a) {
                    // As a single bit, true is 1 unsigned and -1 signed.
                    Sort::Bool if !matches!(predicate, Int::LLVMIntEQ | Int::LLVMIntNE) => {
                        (pool.bool_to_bits(a, 1), pool.bool_to_bits(b, 1))
                    }
                    _ => (a, b),
                };
                use BinaryOp::*;
                match predicate {
                    Int::LLVMIntEQ => pool.eq(a, b),
                    Int::LLVMIntNE => {
                        let same = pool.eq(a, b);
                        pool.not(same)
                    }
                    Int::LLVMIntUGT => pool.binary(UnsignedLess, b, a),
                    Int::LLVMIntUGE => pool.binary(UnsignedLessEq, b, a),
                    Int::LLVMIntULT => pool.binary(UnsignedLess, a, b),
                    Int::LLVMIntULE => pool.binary(UnsignedLessEq, a, b),
                    Int::LLVMIntSGT => pool.binary(SignedLess, b, a),
                    Int::LLVMIntSGE => pool.binary(SignedLessEq, b, a),
                    Int::LLVMIntSLT => pool.binary(SignedLess, a, b),
                    Int::LLVMIntSLE => pool.binary(SignedLessEq, a, b),
                }
            }
            Predicate::Float(predicate) => {
                let nan = {
                    let (x, y) = (pool.unary(UnaryOp::FloatIsNan, a), pool.unary(UnaryOp::FloatIsNan, b));
                    pool.or(x, y)
                };
                let equal = pool.binary(BinaryOp::FloatEq, a, b);
                let less = pool.binary(BinaryOp::FloatLess, a, b);
                let greater = pool.binary(BinaryOp::FloatLess, b, a);
                let less_eq = pool.binary(BinaryOp::FloatLessEq, a, b);
                let greater_eq = pool.binary(BinaryOp::FloatLessEq, b, a);
                match predicate {
                    Real::LLVMRealPredicateFalse => pool.bool(false),
                    Real::LLVMRealPredicateTrue => pool.bool(true),
                    Real::LLVMRealOEQ => equal,
                    Real::LLVMRealOGT => greater,
                    Real::LLVMRealOGE => greater_eq,
                    Real::LLVMRealOLT => less,
                    Real::LLVMRealOLE => less_eq,
                    Real::LLVMRealONE => pool.or(less, greater),
                    Real::LLVMRealORD => pool.not(nan),
                    Real::LLVMRealUNO => nan,
                    Real::LLVMRealUEQ => pool.or(equal, nan),
                    // Unordered comparisons are the negations of the opposite ordered ones.
                    Real::LLVMRealUGT => pool.not(less_eq),
                    Real::LLVMRealUGE => pool.not(less),
                    Real::LLVMRealULT => pool.not(greater_eq),
                    Real::LLVMRealULE => pool.not(greater),
                    Real::LLVMRealUNE => pool.not(equal),
                }
            }
        }
    }

    fn insert(&mut self, whole: Val, ty: Type, path: &[u32], part: Val) -> Val {
        let Some((&index, rest)) = path.split_first() else { return part };
        let mut parts = self.parts_of(whole, ty);
        let old = std::mem::replace(&mut parts[index as usize], Val::Undefined);
        parts[index as usize] = self.insert(old, ty.element(u64::from(index)), rest, part);
        Val::Aggregate(parts)
    }

    fn is_number(&mut self, expr: Expr, number: u128) -> Expr {
        let width = self.l.builder.pool.width(expr);
        let number = self.bits(width, number);
        self.l.builder.pool.eq(expr, number)
    }

    /// The element at a variable index.
    fn choose(&mut self, parts: &[Val], index: Expr, ty: Type) -> Val {
        let mut result = self.scalar_of(Val::Undefined, ty);
        for (n, part) in parts.iter().enumerate().rev() {
            let part = self.scalar_of(part.clone(), ty);
            let here = self.is_number(index, n as u128);
            result = self.l.builder.pool.ite(here, part, result);
        }
        Val::Scalar(result)
    }

    fn freeze(&mut self, value: Val, ty: Type) -> Val {
        if ty.is_aggregate() {
            let parts = self.parts_of(value, ty);
            return Val::Aggregate(
                parts.into_iter().enumerate().map(|(i, p)| self.freeze(p, ty.element(i as u64))).collect(),
            );
        }
        Val::Scalar(self.scalar_of(value, ty))
    }

    fn select(&mut self, condition: Val, then: Val, otherwise: Val, ty: Type) -> Val {
        let condition = match condition {
            Val::Scalar(c) => c,
            _ => self.unknown(Sort::Bool, Havoc::Undefined),
        };
        let then = self.scalar_of(then, ty);
        let otherwise = self.scalar_of(otherwise, ty);
        Val::Scalar(self.l.builder.pool.ite(condition, then, otherwise))
    }

    /// A bitcast from or to a vector, by concatenating and splitting bits.
    fn reinterpret(&mut self, value: Val, from: Type, to: Type) -> Val {
        let mut scalars = Vec::new();
        self.scalars(value, from, &mut scalars);
        let width_of = |l: &Lifter, ty: Type| match ty.kind() {
            TypeKind::Integer(width) => Some(width as u16),
            _ => match l.sort(ty)? {
                Sort::Bits(width) => Some(width),
                Sort::Float(format) => Some(format.bits()),
                _ => None,
            },
        };
        let (sources, targets) = (Lifter::leaves(from), Lifter::leaves(to));
        let widths: Option<Vec<u16>> = sources.iter().map(|&t| width_of(self.l, t)).collect();
        let target_widths: Option<Vec<u16>> = targets.iter().map(|&t| width_of(self.l, t)).collect();
        let (Some(widths), Some(target_widths)) = (widths, target_widths) else {
            self.unsupported("a bitcast of an odd vector");
            return Val::Undefined;
        };
        if widths.iter().map(|&w| u32::from(w)).sum::<u32>() > 128
            && widths != target_widths
            && widths.len() > 1
            && target_widths.len() == 1
        {
            self.unsupported("an integer of more than 128 bits");
            return Val::Undefined;
        }
        // Split the bits at the boundaries of both sides.
        let mut source_bits: Vec<(u32, Expr, u16)> = Vec::new();
        let mut at = 0;
        for (&scalar, &width) in scalars.iter().zip(&widths) {
            let bits = match self.l.builder.pool.sort(scalar) {
                Sort::Bool => self.l.builder.pool.bool_to_bits(scalar, 1),
                Sort::Float(_) => self.l.builder.pool.unary(UnaryOp::FloatToBits, scalar),
                _ => scalar,
            };
            source_bits.push((at, bits, width));
            at += u32::from(width);
        }
        let mut results = Vec::new();
        let mut start = 0u32;
        for (&ty, &width) in targets.iter().zip(&target_widths) {
            let end = start + u32::from(width);
            let mut value: Option<Expr> = None;
            for &(from, bits, length) in &source_bits {
                let (low, high) = (from.max(start), (from + u32::from(length)).min(end));
                if low >= high {
                    continue;
                }
                let piece = self.l.builder.pool.extract(bits, (low - from) as u16, (high - low) as u16);
                value = Some(match value {
                    None => piece,
                    Some(lower) => self.l.builder.pool.binary(BinaryOp::Concat, piece, lower),
                });
            }
            start = end;
            let sort = self.l.sort(ty).unwrap_or(Sort::Bool);
            let value = value.map(|v| self.convert(v, sort));
            results.push(value.map_or(Val::Undefined, Val::Scalar));
        }
        let mut results = results.into_iter();
        super::function::assemble(to, &mut || results.next().unwrap_or(Val::Undefined))
    }

    /// The addresses computed by a `getelementptr`: one, or one for each vector element.
    fn element_pointer(&mut self, gep: Value) -> Val {
        if !gep.operand(0).ty().is_aggregate() && gep.users().next().is_some() {
            self.check_foreseen(gep.operand(0));
        }
        let operands: Vec<Val> = gep.operands().map(|o| self.value(o)).collect();
        if !gep.ty().is_aggregate() {
            return Val::Scalar(self.one_element_pointer(gep, &operands));
        }
        let rows = (0..gep.ty().element_count() as usize)
            .map(|row| {
                let pick = |v: &Val| match v {
                    Val::Aggregate(parts) => parts[row].clone(),
                    v => v.clone(),
                };
                let operands: Vec<Val> = operands.iter().map(pick).collect();
                Val::Scalar(self.one_element_pointer(gep, &operands))
            })
            .collect();
        Val::Aggregate(rows)
    }

    fn one_element_pointer(&mut self, gep: Value, operands: &[Val]) -> Expr {
        let bits = self.l.layout.pointer_bits();
        let scalar_type = |v: Value| if v.ty().is_aggregate() { v.ty().element(0) } else { v.ty() };
        let mut address = self.scalar_of(operands[0].clone(), scalar_type(gep.operand(0)));
        let mut ty = gep.gep_source_type();
        for n in 1..gep.operand_count() {
            let index = self.scalar_of(operands[n as usize].clone(), scalar_type(gep.operand(n)));
            if n > 1 && matches!(ty.kind(), TypeKind::Struct(_)) {
                let field = self.as_number(index).unwrap_or(0) as u64;
                let offset = self.l.layout.element_offset(ty, field);
                address = self.moved(address, offset as i64);
                ty = ty.element(field);
                continue;
            }
            if n > 1 {
                ty = ty.element(0);
            }
            let index = match self.l.builder.pool.sort(index) {
                Sort::Bool => self.l.builder.pool.bool_to_bits(index, 1),
                _ => index,
            };
            let index = self.l.builder.pool.sign_extend(index, bits);
            let size = self.bits(bits, u128::from(self.l.layout.alloc_size(ty)));
            let distance = self.l.builder.pool.binary(BinaryOp::Mul, index, size);
            address = self.l.builder.pool.add(address, distance);
        }
        address
    }

    fn atomic_rmw(&mut self, i: Value) {
        let ty = i.ty();
        let Some(pointer) = self.pointer(i.operand(0)) else { return self.define(i, Val::Undefined) };
        let old = self.load(pointer, ty);
        let old = self.scalar_of(old, ty);
        let old = self.save(old);
        let operand = self.scalar(i.operand(1));
        let pool = &mut self.l.builder.pool;
        let pick = |pool: &mut clew_verifier::expr::Pool, op: BinaryOp, first: bool| {
            let less = pool.binary(op, old, operand);
            if first { pool.ite(less, old, operand) } else { pool.ite(less, operand, old) }
        };
        use Rmw::*;
        let new = match i.atomic_operation() {
            LLVMAtomicRMWBinOpXchg => operand,
            LLVMAtomicRMWBinOpAdd => pool.add(old, operand),
            LLVMAtomicRMWBinOpSub => pool.binary(BinaryOp::Sub, old, operand),
            LLVMAtomicRMWBinOpAnd => pool.binary(BinaryOp::BitAnd, old, operand),
            LLVMAtomicRMWBinOpNand => {
                let and = pool.binary(BinaryOp::BitAnd, old, operand);
                pool.unary(UnaryOp::BitNot, and)
            }
            LLVMAtomicRMWBinOpOr => pool.binary(BinaryOp::BitOr, old, operand),
            LLVMAtomicRMWBinOpXor => pool.binary(BinaryOp::BitXor, old, operand),
            LLVMAtomicRMWBinOpMax => pick(pool, BinaryOp::SignedLess, false),
            LLVMAtomicRMWBinOpMin => pick(pool, BinaryOp::SignedLess, true),
            LLVMAtomicRMWBinOpUMax => pick(pool, BinaryOp::UnsignedLess, false),
            LLVMAtomicRMWBinOpUMin => pick(pool, BinaryOp::UnsignedLess, true),
            LLVMAtomicRMWBinOpFAdd => pool.binary(BinaryOp::FloatAdd, old, operand),
            LLVMAtomicRMWBinOpFSub => pool.binary(BinaryOp::FloatSub, old, operand),
            LLVMAtomicRMWBinOpFMax => pool.binary(BinaryOp::FloatMax, old, operand),
            LLVMAtomicRMWBinOpFMin => pool.binary(BinaryOp::FloatMin, old, operand),
            LLVMAtomicRMWBinOpUIncWrap | LLVMAtomicRMWBinOpUDecWrap => {
                self.unsupported("an atomic operation that wraps at a bound");
                return self.define(i, Val::Undefined);
            }
        };
        self.store(pointer, Val::Scalar(new), ty);
        self.define(i, Val::Scalar(old));
    }

    fn compare_exchange(&mut self, i: Value) {
        let ty = i.operand(1).ty();
        let Some(pointer) = self.pointer(i.operand(0)) else { return self.define(i, Val::Undefined) };
        let old = self.load(pointer, ty);
        let old = self.scalar_of(old, ty);
        let old = self.save(old);
        let (expected, new) = (self.scalar(i.operand(1)), self.scalar(i.operand(2)));
        let same = self.l.builder.pool.eq(old, expected);
        let same = self.save(same);
        let result = self.l.builder.pool.ite(same, new, old);
        self.store(pointer, Val::Scalar(result), ty);
        self.define(i, Val::Aggregate(vec![Val::Scalar(old), Val::Scalar(same)]));
    }
}
