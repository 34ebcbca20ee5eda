//! Records and lists as words of one array.
//!
//! ```text
//! | argument block | what the trial has made so far | unused ...
//! 0                end of the block                 free
//! ```
//!
//! The argument block holds the arguments, the resources, and the records and lists that they refer
//! to. An address is the index of a word. A record is its fields, one word each: whole numbers,
//! truth values and degrees are themselves, texts their ids, records and lists their addresses. A
//! list is a header of [`HEADER`] words, which holds the address of its elements. A list that grows
//! moves its elements and keeps its header, so that all references to the list see it grow.
//!
//! Nothing is freed before the next trial begins: its fuel bounds what a trial makes.
//!
//! Compiled code takes each address modulo the number of words, which is a power of two: a mistake
//! of the compiler may only read and change words of this memory.

use crate::trap::TrapCode;

/// In a list's header: the number of its elements.
pub const LENGTH: i64 = 0;
/// In a list's header: its capacity.
pub const CAPACITY: i64 = 1;
/// In a list's header: the address of its elements.
pub const START: i64 = 2;
/// The words of a list's header.
pub const HEADER: i64 = 3;

/// Room for elements that a list gets when it first grows.
const FIRST_ROOM: i64 = 4;

/// The minimum number of words after the argument block: addresses below this are always valid.
pub const FIRST_WORDS: usize = 256;

/// Words after those that have addresses: compiled code may add fewer than these to an address.
pub const SPARE: usize = 64;

/// The memory of trials, one after another. Reading outside of it gives 0 and writing there does
/// nothing; programs do neither.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// A power of two, and [`SPARE`] ones.
    words: Vec<i64>,
    /// Where the next record or list goes.
    free: usize,
}

impl Memory {
    /// A memory whose trials begin with a copy of an argument block.
    pub fn new(image: &[i64]) -> Self {
        let length = (image.len() + FIRST_WORDS).next_power_of_two() + SPARE;
        let mut words = Vec::with_capacity(length);
        words.extend_from_slice(image);
        words.resize(length, 0);
        Self {
            words,
            free: image.len(),
        }
    }

    /// Begins a trial: restores the words at `written` from the argument block, and frees the
    /// objects of the last trial.
    pub fn restart(&mut self, image: &[i64], written: &[u32]) {
        for &place in written {
            let place = place as usize;
            if let (Some(word), Some(&first)) = (self.words.get_mut(place), image.get(place)) {
                *word = first;
            }
        }
        self.free = image.len();
    }

    /// The word at an address.
    pub fn load(&self, address: i64) -> i64 {
        let place = usize::try_from(address).ok();
        let word = place.and_then(|place| self.words.get(place));
        word.copied().unwrap_or(0)
    }

    /// Changes the word at an address.
    pub fn store(&mut self, address: i64, value: i64) {
        let place = usize::try_from(address).ok();
        if let Some(word) = place.and_then(|place| self.words.get_mut(place)) {
            *word = value;
        }
    }

    /// The address of `count` new words, which hold anything.
    ///
    /// # Errors
    /// The system has no memory left.
    pub fn alloc(&mut self, count: usize) -> Result<i64, TrapCode> {
        let address = self.free;
        let end = address.saturating_add(count);
        self.reach(end)?;
        self.free = end;
        i64::try_from(address).map_err(|_| TrapCode::OutOfFuel)
    }

    /// Makes sure that there are words up to `end`.
    ///
    /// # Errors
    /// The system has no memory left.
    pub fn reach(&mut self, end: usize) -> Result<(), TrapCode> {
        if end > self.len() {
            let length = end.checked_next_power_of_two();
            let length = length.and_then(|length| length.checked_add(SPARE));
            let length = length.ok_or(TrapCode::OutOfFuel)?;
            let reserved = self.words.try_reserve(length - self.words.len());
            reserved.map_err(|_| TrapCode::OutOfFuel)?;
            self.words.resize(length, 0);
        }
        Ok(())
    }

    /// A new list of `count` elements with unspecified contents.
    ///
    /// # Errors
    /// The system has no memory left.
    pub fn list(&mut self, count: u32) -> Result<i64, TrapCode> {
        let list = self.alloc(HEADER as usize + count as usize)?;
        self.store(list + LENGTH, count.into());
        self.store(list + CAPACITY, count.into());
        self.store(list + START, list + HEADER);
        Ok(list)
    }

    /// Puts `value` at the end of the list at `list`; gives the list's new length.
    ///
    /// # Errors
    /// The list has `most` elements, or the system has no memory left.
    pub fn append(&mut self, list: i64, value: i64, most: u32) -> Result<i64, TrapCode> {
        let length = self.load(list + LENGTH);
        if length >= most.into() {
            return Err(TrapCode::ListTooLong);
        }
        if length >= self.load(list + CAPACITY) {
            self.make_room(list, length)?;
        }
        self.store(self.load(list + START).wrapping_add(length), value);
        self.store(list + LENGTH, length + 1);
        Ok(length + 1)
    }

    /// Moves `count` words by one: those after an address down to it, or, if `up`, those from the
    /// address on up. Does nothing if one of them is not in this memory.
    pub fn shift(&mut self, address: i64, count: i64, up: bool) {
        let place = usize::try_from(address).ok();
        let Some((place, count)) = place.zip(usize::try_from(count).ok()) else {
            return;
        };
        let end = place
            .checked_add(count)
            .filter(|&end| end < self.words.len());
        if let Some(end) = end {
            match up {
                true => self.words.copy_within(place..end, place + 1),
                false => self.words.copy_within(place + 1..=end, place),
            }
        }
    }

    /// Moves the elements of a list to where twice as many have room.
    fn make_room(&mut self, list: i64, length: i64) -> Result<(), TrapCode> {
        // Both are far below 2^62: a list is no longer than its limit, a u32.
        let room = (length * 2).max(FIRST_ROOM);
        let new = self.alloc(room.unsigned_abs() as usize)?;
        let old = self.load(list + START);
        for place in 0..length {
            self.store(new + place, self.load(old + place));
        }
        self.store(list + CAPACITY, room);
        self.store(list + START, new);
        Ok(())
    }

    /// The number of addresses, a power of two; 0 of an empty memory.
    pub fn len(&self) -> usize {
        self.words.len().saturating_sub(SPARE)
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Where the next record or list goes.
    pub fn free(&self) -> usize {
        self.free
    }

    /// Sets the address of the next record or list: compiled code makes them, too.
    pub fn set_free(&mut self, free: usize) {
        self.free = free;
    }

    /// All words with the spare ones, for compiled code.
    pub fn words_mut(&mut self) -> &mut [i64] {
        &mut self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_and_keep_their_header() {
        let mut memory = Memory::new(&[7]);
        let list = memory.list(1).expect("memory");
        memory.store(memory.load(list + START), 100);
        for value in 101..1_100 {
            memory.append(list, value, 1_100).expect("room");
        }
        assert_eq!(memory.load(list + LENGTH), 1_000);
        let start = memory.load(list + START);
        let elements: Vec<i64> = (0..1_000).map(|place| memory.load(start + place)).collect();
        assert_eq!(elements, (100..1_100).collect::<Vec<_>>());
        assert_eq!(memory.append(list, 0, 1_000), Err(TrapCode::ListTooLong));
        assert_eq!(memory.load(0), 7);
    }

    #[test]
    fn a_trial_begins_with_the_image() {
        let image = [1, 2, 3];
        let mut memory = Memory::new(&image);
        memory.store(1, 20);
        memory.alloc(10_000).expect("memory");
        memory.restart(&image, &[1]);
        assert_eq!((memory.load(1), memory.free()), (2, 3));
        assert_eq!((memory.load(-1), memory.load(i64::MAX)), (0, 0));
    }
}
