//! The scalars of requests with their bounds, checked while they are read, and the rule that an object is never spelt as an
//! array. Says only that a value is wrong; the sentence with the path is [`super::shape`]'s.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A struct from an object only: the derived readings alone would take an array of its members too.
#[derive(Debug)]
pub(super) struct Object<T>(pub(super) T);

/// Text of `MIN` to `MAX` code points.
#[derive(Debug)]
pub(super) struct Text<const MIN: usize, const MAX: usize>(pub(super) String);

/// Text of at least one code point.
pub(super) type Filled = Text<1, { usize::MAX }>;

/// A whole number of `MIN` to `MAX`. JavaScript's spellings of one (`1e3`, `5.0`) count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole<const MIN: u64 = 0, const MAX: u64 = { u64::MAX }>(pub(super) u64);

/// The word `true` and nothing else.
#[derive(Debug)]
pub(super) struct True;

/// A member that may be absent but not null.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// The whole number that a JSON number spells, if it is one that both sides can hold exactly.
pub(super) fn whole(number: f64) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number)).then_some(number as u64)
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        // A text is at least as long in bytes as in code points, so most need no counting.
        let long = text.len() > MAX && text.chars().count() > MAX;
        let short = text.len() < MIN || (MIN > 1 && text.chars().count() < MIN);
        if long || short { Err(D::Error::custom("length out of bounds")) } else { Ok(Self(text)) }
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
                Ok(number)
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
                whole(number).ok_or_else(|| E::custom("not a whole number"))
            }
        }
        let number = from.deserialize_any(Number)?;
        if (MIN..=MAX).contains(&number) { Ok(Self(number)) } else { Err(D::Error::custom("out of bounds")) }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<T, M::Error> {
                T::deserialize(MapAccessDeserializer::new(members))
            }
        }
        from.deserialize_map(Members(PhantomData)).map(Self)
    }
}

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if bool::deserialize(from)? { Ok(Self) } else { Err(D::Error::custom("must be true")) }
    }
}
