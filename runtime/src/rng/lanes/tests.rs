//! The proof that a lane word is fair, word for word, and the layout's own rules.

use super::*;

/// All 2^16 words of a V16 word give each combination of faces equally often.
fn expect_fair(word: &Word) {
    let combinations: u32 = word.dice().iter().map(|die| die.sides()).product();
    let mut seen = vec![0; combinations as usize];
    for bits in 0..1 << 16 {
        // The combination's number; a face that the die does not have would spoil the count.
        let (mut number, mut sides) = (0, word.dice().iter());
        let accepted = word.draw(bits, |face| {
            let sides = sides.next().expect("a face a die").sides();
            assert!(face <= u64::from(sides));
            number = number * sides as usize + face as usize - 1;
        });
        seen[number] += u32::from(accepted);
    }
    let each = ((1 << 16) - word.reject()) / combinations;
    assert!(seen.iter().all(|&count| count == each), "{word:?}");
}

fn only_word(sides: &[u32]) -> Option<Word> {
    match Word::pack(WordWidth::W16, sides.iter().copied())?.as_slice() {
        [word] => Some(word.clone()),
        _ => None,
    }
}

/// Every die that V16 takes alone.
#[test]
fn lone_dice_of_16_bits_are_fair() {
    for sides in 1..=1024 {
        match only_word(&[sides]) {
            Some(word) => expect_fair(&word),
            None => assert!(sides % 2 == 1 && sides > 512, "d{sides}"),
        }
    }
}

/// Every number of equal dice that share a word.
#[test]
fn equal_dice_of_16_bits_are_fair() {
    for sides in 1..=512 {
        for dice in 2..=16 {
            let Some(word) = only_word(&vec![sides; dice]) else {
                break;
            };
            expect_fair(&word);
        }
    }
}

/// Where a die's faces begin: the face of each number in a lane, and all that are shown.
#[test]
fn faces_rise_with_the_lane() {
    for sides in (1..=40).chain([97, 100, 256, 511, 1000, 1024]) {
        let Some(word) = only_word(&[sides]) else {
            continue;
        };
        let die = word.dice()[0];
        let least = |face| die.least(WordWidth::W16, 16, face);
        assert_eq!(least(sides + 1), None);
        let mut highest = 0;
        for x in i16::MIN..=i16::MAX {
            word.draw(u32::from(x.cast_unsigned()), |face| {
                for face in highest + 1..=face as u32 {
                    assert_eq!(least(face), Some(x.into()), "{face} of d{sides}");
                }
                assert!(face as u32 >= highest, "d{sides}");
                highest = face as u32;
            });
        }
        assert_eq!(highest, sides);
    }
    let words = Word::pack(WordWidth::W32, [10_000].into_iter()).expect("a die of V32");
    let die = words[0].dice()[0];
    for face in 1..=10_000 {
        let least = die.least(WordWidth::W32, 18, face).expect("a face");
        // The first product that reaches the face.
        let product = (u64::from(face) - 1) << 18;
        assert_eq!(least, product.div_ceil(10_000).cast_signed(), "{face}");
    }
}

/// Dice that are read as one number show the same faces: each accepted word counts as often as its
/// hash says.
#[test]
fn joined_dice_show_the_same_faces() {
    let mut joined = 0;
    for sides in 2..=64 {
        for dice in 1..=5 {
            let Some(word) = only_word(&vec![sides; dice]) else {
                break;
            };
            let Some((large, joints)) = word.joined(1 << 12) else {
                continue;
            };
            joined += 1;
            let (mut expected, mut found) = (vec![0; sides as usize], vec![0; sides as usize]);
            let mut tables: Vec<Vec<u32>> = joints
                .iter()
                .map(|joint| vec![0; joint.numbers() as usize])
                .collect();
            for bits in 0..1_u32 << 16 {
                let weight = bits.wrapping_mul(0x9e37_79b9) >> 20;
                let mut faces = Vec::new();
                let accepted = word.draw(bits, |face| faces.push(face as usize - 1));
                let mut left = tables.iter_mut();
                let alike = large.draw(bits, |number| {
                    let table = left.next().expect("a table a number");
                    table[number as usize - 1] += if accepted { weight } else { 0 };
                });
                assert_eq!(accepted, alike);
                if accepted {
                    faces.into_iter().for_each(|face| expected[face] += weight);
                }
            }
            for (joint, table) in joints.iter().zip(&tables) {
                joint.faces(table, |face, count| found[face] += count);
            }
            assert_eq!(expected, found, "{dice}d{sides}");
        }
    }
    assert!(joined > 90, "{joined}");
}

/// Dice of two and three kinds that share a word.
#[test]
fn different_dice_of_16_bits_are_fair() {
    let kinds = [2, 3, 4, 5, 6, 7, 8, 10, 12, 20, 30, 100, 200];
    for a in kinds {
        for b in kinds.into_iter().filter(|&b| b != a) {
            only_word(&[a, b]).iter().for_each(expect_fair);
            for c in kinds {
                only_word(&[a, b, c]).iter().for_each(expect_fair);
            }
        }
    }
}

/// In V32 the argument is Lemire's: a word of `L` bits is rejected below `2^L mod P`, and no
/// product leaves 32 bits.
#[test]
fn thresholds_of_32_bits() {
    for sides in (1..=1 << 14).step_by(7).chain([2, 3, 6, 16384]) {
        for dice in 1..=32 {
            let packed = Word::pack(WordWidth::W32, std::iter::repeat_n(sides, dice));
            let packed = packed.expect("a die of V32");
            let [word] = packed.as_slice() else { break };
            let bits = word.bits();
            assert!(u64::from(sides) << bits <= 1 << 32, "{dice}d{sides}");
            let product = u64::from(sides).pow(dice as u32);
            assert_eq!(u64::from(word.reject()), (1 << bits) % product);
            // The last word stands for the highest faces.
            let accepted = word.draw(u32::MAX, |face| assert_eq!(face, u64::from(sides)));
            assert!(accepted);
        }
    }
    assert_eq!(Word::pack(WordWidth::W32, [1 << 15].into_iter()), None);
}

/// The same as for V16, on the top 18 bits only, which are all that a large die leaves.
#[test]
fn large_dice_of_32_bits_are_fair() {
    for sides in [10_000, 12_345, 16_384] {
        let words = Word::pack(WordWidth::W32, [sides].into_iter()).expect("a die of V32");
        let mut seen = vec![0; sides as usize];
        for bits in 0..1_u32 << 18 {
            let mut index = 0;
            let accepted = words[0].draw(bits << 14, |face| index = face as usize - 1);
            seen[index] += u32::from(accepted);
        }
        let each = ((1 << 18) - words[0].reject()) / sides;
        assert!(seen.iter().all(|&count| count == each), "d{sides}");
    }
}

#[test]
fn few_dice_share_words_among_trials() {
    let shape = |sides: &[u32]| {
        let layout = Layout::new(LaneWidth::V16, sides).expect("dice of V16");
        let dice: Vec<usize> = layout
            .words()
            .iter()
            .map(|word| word.dice().len())
            .collect();
        (layout.trials_per_lane(), dice, layout.together())
    };
    assert_eq!(shape(&[20]), (4, vec![2, 2], true));
    assert_eq!(shape(&[8]), (4, vec![4], true));
    assert_eq!(shape(&[6; 3]), (2, vec![3, 3], true));
    assert_eq!(shape(&[6; 4]), (2, vec![3, 3, 2], true));
    assert_eq!(shape(&[6; 10]), (1, vec![3, 3, 3, 1], true));
    let (slots, words, together) = shape(&[6; 100]);
    assert_eq!((slots, words.len(), together), (1, 34, false));
}

/// Trials of a group, pinned: if this test has to change, fused results for a given seed change for
/// every user.
#[test]
fn faces_of_a_seed_are_pinned() {
    let mut results = Vec::new();
    for width in [LaneWidth::V16, LaneWidth::V32] {
        let layout = Layout::new(width, &[6, 6, 20]).expect("small dice");
        let mut twins = Twins::new(&Stream::from_seed(42));
        let group = layout.draw(&mut twins);
        assert_eq!(twins.second, twins.first.twin());
        results.push([0, 1, layout.trials() - 1].map(|trial| group.faces(trial).to_vec()));
    }
    let expected = [
        [[6, 6, 15], [5, 1, 17], [3, 4, 6]],
        [[2, 4, 13], [5, 6, 7], [4, 6, 3]],
    ];
    assert_eq!(results, expected.map(|group| group.map(Vec::from)));
}
