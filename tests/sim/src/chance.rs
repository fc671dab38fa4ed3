//! Chance from a seed: a small generator (SplitMix64) and the few questions the world asks it. The same seed gives the same
//! world on every machine; nothing here reads a clock or the system's randomness.

use askrelay_core::id::Fresh;

/// A seeded source of chance.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The source of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // One scrambling step, so that neighbouring seeds have nothing in common.
        let mut chance = Self(seed ^ 0x9e37_79b9_7f4a_7c15);
        chance.bits();
        chance
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound.max(1)
    }

    /// A number from `low` to `high`, both included.
    pub fn from_to(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True this often in a hundred.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// True this often in a thousand.
    pub fn per_mille(&mut self, share: u64) -> bool {
        self.below(1000) < share
    }

    /// One of several, if there is one.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = self.below(from.len() as u64);
        from.get(usize::try_from(index).unwrap_or_default())
    }
}

impl Fresh for Chance {
    fn bytes(&mut self) -> [u8; 16] {
        (u128::from(self.bits()) << 64 | u128::from(self.bits())).to_be_bytes()
    }
}
