//! Thrift's compact protocol, as far as Parquet's directories and page headers need it. What no
//! such file holds is refused, so that no other reader of it can come to other values.

/// Types of fields and elements.
pub(super) mod ty {
    pub(in crate::source::gate) const TRUE: u8 = 1;
    pub(in crate::source::gate) const FALSE: u8 = 2;
    pub(in crate::source::gate) const BYTE: u8 = 3;
    pub(in crate::source::gate) const I16: u8 = 4;
    pub(in crate::source::gate) const I32: u8 = 5;
    pub(in crate::source::gate) const I64: u8 = 6;
    pub(in crate::source::gate) const DOUBLE: u8 = 7;
    pub(in crate::source::gate) const BINARY: u8 = 8;
    pub(in crate::source::gate) const LIST: u8 = 9;
    pub(in crate::source::gate) const STRUCT: u8 = 12;
}

/// How deep structures may be in each other. Parquet's are less than ten.
const MAX_DEPTH: usize = 24;

/// Bytes being read; `None` from a method is that they make no sense, or end.
pub(super) struct Thrift<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How many elements of lists there may be.
    elements: usize,
    depth: usize,
}

impl<'b> Thrift<'b> {
    /// Reads from the first of these bytes, and at most this many elements of lists in all.
    pub(super) fn new(bytes: &'b [u8], elements: usize) -> Self {
        Self {
            bytes,
            at: 0,
            elements,
            depth: MAX_DEPTH,
        }
    }

    /// How many bytes have been read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether the bytes ended before what was read in them did.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// How many elements of lists there may still be.
    pub(super) fn elements(&self) -> usize {
        self.elements
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        // The tenth byte has a single bit.
        match self.byte()? {
            byte @ 0..=1 => Some(value | u64::from(byte) << 63),
            _ => None,
        }
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of the type of a field.
    pub(super) fn int(&mut self, is: u8) -> Option<i32> {
        (is == ty::I32).then_some(())?;
        i32::try_from(self.zigzag()?).ok()
    }

    /// Text or bytes.
    pub(super) fn binary(&mut self, is: u8) -> Option<&'b [u8]> {
        (is == ty::BINARY).then_some(())?;
        let length = usize::try_from(self.varint()?).ok()?;
        let end = self.at.checked_add(length)?;
        let bytes = self.bytes.get(self.at..end);
        // A value that is cut off is at the end.
        self.at = end;
        bytes
    }

    /// A structure: `read` is called for every field with its number and type, and reads it, or
    /// tells that it is to be skipped.
    pub(super) fn fields(
        &mut self,
        is: u8,
        read: &mut dyn FnMut(&mut Self, i16, u8) -> Option<Read>,
    ) -> Option<()> {
        (is == ty::STRUCT).then_some(())?;
        self.depth = self.depth.checked_sub(1)?;
        let mut last: i16 = 0;
        loop {
            let head = self.byte()?;
            let field = head & 0x0f;
            if head == 0 {
                break;
            }
            let id = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).ok()?,
                more => last.checked_add(i16::from(more))?,
            };
            // No field is there twice.
            (id > last).then_some(())?;
            last = id;
            if matches!(read(self, id, field)?, Read::Not) {
                self.skip(field)?;
            }
        }
        self.depth += 1;
        Some(())
    }

    /// A list: `read` is called for every element with its type.
    pub(super) fn list(
        &mut self,
        is: u8,
        read: &mut dyn FnMut(&mut Self, u8) -> Option<()>,
    ) -> Option<()> {
        (is == ty::LIST).then_some(())?;
        let head = self.byte()?;
        let length = match head >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            few => usize::from(few),
        };
        self.elements = self.elements.checked_sub(length)?;
        for _ in 0..length {
            read(self, head & 0x0f)?;
        }
        Some(())
    }

    fn skip(&mut self, field: u8) -> Option<()> {
        match field {
            ty::TRUE | ty::FALSE => Some(()),
            _ => self.skip_element(field),
        }
    }

    /// Readers differ about the bytes of truth values in lists, of which Parquet has none here.
    fn skip_element(&mut self, element: u8) -> Option<()> {
        match element {
            ty::BYTE => self.byte().map(drop),
            ty::I16 | ty::I32 | ty::I64 => self.varint().map(drop),
            ty::DOUBLE => {
                self.at = self.at.checked_add(8)?;
                (self.at <= self.bytes.len()).then_some(())
            }
            ty::BINARY => self.binary(element).map(drop),
            ty::STRUCT => self.fields(element, &mut |_, _, _| Some(Read::Not)),
            ty::LIST => {
                self.depth = self.depth.checked_sub(1)?;
                self.list(element, &mut |thrift, element| thrift.skip_element(element))?;
                self.depth += 1;
                Some(())
            }
            _ => None,
        }
    }
}

/// Whether a field was read.
pub(super) enum Read {
    Done,
    Not,
}
