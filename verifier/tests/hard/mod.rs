//! Queries that no solver answers quickly: factors of large numbers.

// Each test uses only some of this.
#![allow(dead_code)]

use clew_verifier::expr::{BinaryOp, Expr, Pool, Sort, Var};

/// The prime 2^127 - 1: it has no nontrivial factors, which is hard to refute.
pub const PRIME: u128 = (1 << 127) - 1;
/// The product of the primes 2^61 - 1 and 2^64 - 59: its two factors are hard to find.
pub const SEMIPRIME: u128 = ((1 << 61) - 1) * ((1 << 64) - 59);

/// Two 64-bit numbers are factors of `number`, and neither is 1.
pub fn factors(pool: &mut Pool, a: Expr, b: Expr, number: u128) -> Vec<Expr> {
    let one = pool.bits(64, 1);
    let (wide_a, wide_b) = (pool.zero_extend(a, 128), pool.zero_extend(b, 128));
    let product = pool.binary(BinaryOp::Mul, wide_a, wide_b);
    let number = pool.bits(128, number);
    let mut above = |x| pool.binary(BinaryOp::UnsignedLess, one, x);
    let (large_a, large_b) = (above(a), above(b));
    vec![pool.eq(product, number), large_a, large_b]
}

/// The variables 10 and 11 are factors of a prime.
pub fn hard(pool: &mut Pool) -> Vec<Expr> {
    let (a, b) = (pool.var(Var(10), Sort::Bits(64)), pool.var(Var(11), Sort::Bits(64)));
    factors(pool, a, b, PRIME)
}
