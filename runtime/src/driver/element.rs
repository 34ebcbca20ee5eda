//! The element type of stored results: whole numbers of any width, floats, truth values. Narrow
//! elements take less memory, which is most of the cost of many samples.

use crate::scale::Scale;

/// A number that can represent the result of a trial.
pub trait Element: Copy + Send {
    /// The elements as cells that a kernel writes to, if results are stored as they are.
    fn cells(_: &mut [Self]) -> Option<&mut [i64]> {
        None
    }

    /// Stores results on the scale `scale` in the same number of elements.
    ///
    /// # Errors
    /// The index of the first result that the elements cannot represent; their contents are
    /// unspecified then. Whole numbers of fewer than 64 bits represent no float.
    fn convert(scale: Scale, results: &[i64], elements: &mut [Self]) -> Result<(), usize>;
}

/// The results as they are: floats are keys.
impl Element for i64 {
    fn cells(elements: &mut [Self]) -> Option<&mut [i64]> {
        Some(elements)
    }

    fn convert(_: Scale, results: &[i64], elements: &mut [Self]) -> Result<(), usize> {
        elements.copy_from_slice(results);
        Ok(())
    }
}

/// The numbers; whole ones beyond 2^53 are rounded.
impl Element for f64 {
    fn convert(scale: Scale, results: &[i64], elements: &mut [Self]) -> Result<(), usize> {
        for (element, result) in elements.iter_mut().zip(results) {
            *element = scale.number(*result);
        }
        Ok(())
    }
}

/// Those of checks.
impl Element for bool {
    fn convert(scale: Scale, results: &[i64], elements: &mut [Self]) -> Result<(), usize> {
        stored((scale, results), elements, |result| result != 0, (0, 1))
    }
}

/// Stores results as elements, of which there are two to the power of `bits`, from `least` up.
fn stored<E>(
    (scale, results): (Scale, &[i64]),
    elements: &mut [E],
    to: impl Fn(i64) -> E,
    (least, bits): (i64, u32),
) -> Result<(), usize> {
    if scale == Scale::Float && !results.is_empty() {
        return Err(0);
    }
    // Without a branch for each, so that several are converted at once.
    let above = |result: &i64| result.wrapping_sub(least).cast_unsigned();
    let mut all = 0;
    for (element, result) in elements.iter_mut().zip(results) {
        *element = to(*result);
        all |= above(result);
    }
    if all >> bits == 0 {
        return Ok(());
    }
    let mut results = results.iter();
    let outside = results.position(|result| above(result) >> bits != 0);
    outside.map_or(Ok(()), Err)
}

/// Whole numbers in fewer bits.
macro_rules! narrow {
    ($($number:ident),*) => {$(
        impl Element for $number {
            fn convert(
                scale: Scale,
                results: &[i64],
                elements: &mut [Self],
            ) -> Result<(), usize> {
                let numbers = (i64::from($number::MIN), $number::BITS);
                stored((scale, results), elements, |result| result as $number, numbers)
            }
        }
    )*};
}

narrow!(i8, i16, i32, u8, u16, u32);

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers at the ends are stored, and those next to them are not.
    #[test]
    fn elements_have_their_numbers_and_no_others() {
        fn check<E: Element + Default>(least: i64, most: i64, back: impl Fn(E) -> i64) {
            let mut elements = [E::default(); 3];
            let inside = [least, 0, most];
            assert_eq!(E::convert(Scale::Whole, &inside, &mut elements), Ok(()));
            assert_eq!(elements.map(back), inside);
            for outside in [least - 1, most + 1, i64::MIN, i64::MAX] {
                let results = [least, outside, outside];
                let converted = E::convert(Scale::Whole, &results, &mut elements);
                assert_eq!(converted, Err(1), "{outside}");
            }
            // Its key is 0.
            let float = E::convert(Scale::Float, &[0], &mut elements[..1]);
            assert_eq!(float, Err(0));
        }
        check::<i8>(-128, 127, i64::from);
        check::<i16>(-0x8000, 0x7fff, i64::from);
        check::<i32>(-0x8000_0000, 0x7fff_ffff, i64::from);
        check::<u8>(0, 0xff, i64::from);
        check::<u16>(0, 0xffff, i64::from);
        check::<u32>(0, 0xffff_ffff, i64::from);
        check::<bool>(0, 1, i64::from);
    }
}
