//! xoshiro256++ by hand: rustc keeps the words in registers.

use dicec_runtime::rng::Stream;

/// The product's generator, with its draws: Lemire's method, whose thresholds are constants where
/// the sides are.
pub(crate) struct Generator {
    s: [u64; 4],
}

/// A word that several draws share.
pub(crate) struct Word {
    rest: u64,
    product: u64,
}

impl Word {
    /// A number below `end`.
    #[inline(always)]
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.rest) * u128::from(end);
        self.rest = wide as u64;
        self.product *= end;
        (wide >> 64) as u64
    }
}

/// The greatest product of the ends of draws from one word: rejection seldom divides.
pub(crate) const FULL: u64 = 1 << 48;

impl Generator {
    pub(crate) fn new() -> Self {
        Self::from_state(Stream::from_seed(42).state())
    }

    pub(super) fn from_state(s: [u64; 4]) -> Self {
        Self { s }
    }

    pub(super) fn state(&self) -> [u64; 4] {
        self.s
    }

    #[inline(always)]
    pub(crate) fn word(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.s;
        let word = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let (t2, t3) = (s2 ^ s0, s3 ^ s1);
        self.s = [s0 ^ t3, s1 ^ t2, t2 ^ (s1 << 17), t3.rotate_left(45)];
        word
    }

    /// A face minus 1, from a separate word.
    #[inline(always)]
    pub(crate) fn die<const SIDES: u64>(&mut self) -> u64 {
        let [face] = self.dice::<1>([SIDES]);
        face
    }

    /// Faces minus 1, all from one word: each die takes its face from the rest that the previous
    /// die left.
    #[inline(always)]
    pub(crate) fn dice<const DICE: usize>(&mut self, sides: [u64; DICE]) -> [u64; DICE] {
        let product = sides.iter().product::<u64>();
        loop {
            let mut low = self.word();
            let faces = sides.map(|sides| {
                let wide = u128::from(low) * u128::from(sides);
                low = wide as u64;
                (wide >> 64) as u64
            });
            if low >= product.wrapping_neg() % product {
                return faces;
            }
        }
    }

    /// A number below `end`, from a separate word.
    #[inline(always)]
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        loop {
            let wide = u128::from(self.word()) * u128::from(end);
            let low = wide as u64;
            // The threshold is below `end`, so it is seldom needed.
            if low >= end || low >= end.wrapping_neg() % end {
                return (wide >> 64) as u64;
            }
        }
    }

    /// Draws from one word whose ends are only known at run time. Their product has to be at most
    /// [`FULL`].
    #[inline(always)]
    pub(crate) fn shared<T>(&mut self, draws: impl Fn(&mut Word) -> T) -> T {
        loop {
            let (rest, product) = (self.word(), 1);
            let mut word = Word { rest, product };
            let drawn = draws(&mut word);
            let Word { rest, product } = word;
            // The threshold is below the product, so it is seldom needed.
            if rest >= product || rest >= product.wrapping_neg() % product {
                return drawn;
            }
        }
    }

    /// The sum of the faces less 1 of equal dice, all from one word.
    #[inline(always)]
    pub(super) fn sum<const DICE: u32, const SIDES: u64>(&mut self) -> u64 {
        let product = SIDES.pow(DICE);
        loop {
            let (mut low, mut sum) = (self.word(), 0);
            for _ in 0..DICE {
                let wide = u128::from(low) * u128::from(SIDES);
                low = wide as u64;
                sum += (wide >> 64) as u64;
            }
            if low >= product.wrapping_neg() % product {
                return sum;
            }
        }
    }

    /// The sum of `count` dice of `sides` sides, at least 1: as many from a word as keep the
    /// division of rejection rare.
    #[inline(always)]
    pub(crate) fn pool(&mut self, mut count: u64, sides: u64) -> u64 {
        let mut sum = 0;
        while count > 0 {
            let (mut low, mut power, mut part, mut dice) = (self.word(), 1_u64, 0, 0);
            while dice < count && power <= (1 << 40) / sides {
                let product = u128::from(low) * u128::from(sides);
                part += (product >> 64) as u64 + 1;
                low = product as u64;
                power *= sides;
                dice += 1;
            }
            if low >= power || low >= power.wrapping_neg() % power {
                sum += part;
                count -= dice;
            }
        }
        sum
    }
}
