//! The rows of a table of JSON: the objects of an array, or objects one after the other, as in JSON
//! Lines. Each object is read by itself, so that a table may be larger than memory.

use super::feed::MAX_ROW_BYTES;
use super::{BadTable, Record, RowFault};
use dicec_compiler::unstable::{Field, read_fields};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

/// The number of objects, and of bytes, that decide which columns a table has.
const MAX_AHEAD: (usize, u64) = (1000, 16 << 20);

/// What a table is.
const FORM: &str = "a table of JSON is an array of objects, or an object on each line";

/// Rows of JSON.
pub(super) struct JsonRows {
    objects: Objects,
    /// The rows that were read for the header.
    ahead: VecDeque<Object>,
    columns: FxHashMap<String, usize>,
}

/// An object and where it begins.
struct Object {
    line: u64,
    bytes: u64,
    fields: Vec<(String, Field)>,
}

impl JsonRows {
    /// The rows, and the names of their columns: the fields of the first objects, in the order of
    /// their first mention.
    ///
    /// # Errors
    /// What cannot be read, or a table without objects.
    pub(super) fn new(bytes: Box<dyn Read>) -> Result<(Self, Vec<String>), BadTable> {
        let mut rows = Self {
            objects: Objects::new(bytes),
            ahead: VecDeque::new(),
            columns: FxHashMap::default(),
        };
        let mut header = Vec::new();
        while rows.ahead.len() < MAX_AHEAD.0 && rows.objects.read < MAX_AHEAD.1 {
            let Some(object) = rows.objects.next()? else {
                break;
            };
            for (name, _) in &object.fields {
                if !rows.columns.contains_key(name) {
                    rows.columns.insert(name.clone(), header.len());
                    header.push(name.clone());
                }
            }
            rows.ahead.push_back(object);
        }
        if header.is_empty() {
            let message = "the table has no objects with fields, which are its columns";
            return Err(BadTable::at((1, 1), message).help(FORM));
        }
        Ok((rows, header))
    }

    /// How many bytes the rows so far take.
    pub(super) fn bytes_read(&self) -> u64 {
        let ahead = self.ahead.iter().map(|object| object.bytes).sum();
        self.objects.read.saturating_sub(ahead)
    }

    /// Reads the next row; false at the end.
    ///
    /// # Errors
    /// What makes it impossible to go on.
    pub(super) fn read(&mut self, row: &mut Record) -> Result<bool, BadTable> {
        let object = match self.ahead.pop_front() {
            Some(object) => Some(object),
            None => self.objects.next()?,
        };
        let Some(object) = object else {
            return Ok(false);
        };
        let mut cells: Vec<Field> = vec![Field::Null; self.columns.len()];
        let mut fault = None;
        for (name, field) in object.fields {
            match self
                .columns
                .get(&name)
                .and_then(|column| cells.get_mut(*column))
            {
                Some(cell) => *cell = field,
                None => {
                    fault.get_or_insert(RowFault::NewField { name });
                }
            }
        }
        row.set(object.line, &cells, fault);
        Ok(true)
    }
}

/// Finds the objects of a text.
struct Objects {
    bytes: BufReader<Box<dyn Read>>,
    /// Bytes read so far.
    read: u64,
    line: u64,
    column: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Start,
    /// Within an array, before an object, which may be missing if it is the first.
    InArray { is_first: bool },
    /// Objects follow one another.
    Loose,
    /// The array was closed.
    Closed,
}

impl Objects {
    fn new(bytes: Box<dyn Read>) -> Self {
        Self {
            bytes: BufReader::with_capacity(1 << 16, bytes),
            read: 0,
            line: 1,
            column: 1,
            state: State::Start,
        }
    }

    /// The next object; none at the end.
    fn next(&mut self) -> Result<Option<Object>, BadTable> {
        let Some(mut byte) = self.peek()? else {
            return match self.state {
                State::InArray { .. } => Err(self.wrong("the array of the table is never closed")),
                State::Start | State::Loose | State::Closed => Ok(None),
            };
        };
        match self.state {
            State::Start if byte == b'[' => {
                self.skip();
                self.state = State::InArray { is_first: true };
                return self.next();
            }
            State::Start => self.state = State::Loose,
            State::InArray { .. } if byte == b']' => {
                self.skip();
                self.state = State::Closed;
                return self.next();
            }
            State::InArray { is_first: false } if byte == b',' => {
                self.skip();
                let Some(next) = self.peek()? else {
                    return Err(self.wrong("the array of the table is never closed"));
                };
                byte = next;
            }
            State::InArray { is_first: false } => {
                return Err(self.wrong("a comma between two objects is missing here"));
            }
            State::Closed => return Err(self.wrong("something follows the array of the table")),
            State::InArray { is_first: true } | State::Loose => {}
        }
        if byte != b'{' {
            return Err(self.wrong("an object is expected here").help(FORM));
        }
        if self.state != State::Loose {
            self.state = State::InArray { is_first: false };
        }
        self.object().map(Some)
    }

    /// The object that begins here.
    fn object(&mut self) -> Result<Object, BadTable> {
        let (line, column, before) = (self.line, self.column, self.read);
        let mut text = Vec::new();
        let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
        loop {
            let Some(byte) = self.byte()? else {
                let message = "the table ends within an object, which begins here";
                return Err(BadTable::at((line, column), message));
            };
            self.skip();
            text.push(byte);
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if text.len() as u64 > MAX_ROW_BYTES {
                let most = MAX_ROW_BYTES >> 20;
                let message = format!("an object is longer than {most} MiB; is it never closed?");
                return Err(BadTable::at((line, column), message));
            }
        }
        let fields = read_fields(&text).map_err(|wrong| {
            let at = match wrong.line {
                0 | 1 => (line, column + (wrong.column as u64).saturating_sub(1)),
                more => (line + more as u64 - 1, wrong.column as u64),
            };
            BadTable::at(at, wrong.message)
        })?;
        Ok(Object {
            line,
            bytes: self.read - before,
            fields,
        })
    }

    /// The next byte that is not a space, which stays.
    fn peek(&mut self) -> Result<Option<u8>, BadTable> {
        loop {
            match self.byte()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.skip(),
                // The mark that some programs begin a file with.
                Some(0xef) if self.read == 0 => (0..3).for_each(|_| self.skip()),
                other => return Ok(other),
            }
        }
    }

    fn byte(&mut self) -> Result<Option<u8>, BadTable> {
        let buffer = self.bytes.fill_buf().map_err(BadTable::unreadable)?;
        Ok(buffer.first().copied())
    }

    fn skip(&mut self) {
        if let Some(byte) = self.bytes.buffer().first() {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
            self.bytes.consume(1);
            self.read += 1;
        }
    }

    fn wrong(&self, message: &str) -> BadTable {
        BadTable::at((self.line, self.column), message)
    }
}

#[cfg(test)]
mod tests {
    use crate::{BadTable, RowFault, Shape, Source};

    fn table(text: &str) -> Result<Source, BadTable> {
        let bytes = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        Source::open(bytes, Shape::Json)
    }

    /// The header and the lines and cells of each row, or the first error.
    fn rows(text: &str) -> Result<Vec<String>, String> {
        let message = |wrong: BadTable| format!("{:?} {}", wrong.place, wrong.message);
        table(text).and_then(Source::shown).map_err(message)
    }

    #[test]
    fn arrays_and_lines() {
        let expected = Ok(["Name|Attack|save.dex", "1 Orc|5|", "2 Ow\"l}||-1"]
            .map(str::to_owned)
            .to_vec());
        for text in [
            "[{\"Name\": \"Orc\", \"Attack\": 5},\n{\"Name\": \"Ow\\\"l}\", \"save\": {\"dex\": -1}}]",
            "{\"Name\": \"Orc\", \"Attack\": 5}\n{\"Name\": \"Ow\\\"l}\", \"save\": {\"dex\": -1}}\n",
            "\u{feff}[{\"Name\": \"Orc\", \"Attack\": 5}\n,{\"Name\": \"Ow\\\"l}\", \"save\": {\"dex\": -1}} ]\n",
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
        let values = "{\"a\": true, \"b\": null, \"c\": [1, {\"d\": 2}], \"e\": 0.5}";
        let found = rows(values).expect("a good table");
        assert_eq!(found, ["a|b|c|e", "1 true||[1,{\"d\":2}]|0.5"]);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, wrong) in [
            ("", "Some((1, 1)) the table has no objects"),
            ("[]", "Some((1, 1)) the table has no objects"),
            ("[{}]", "Some((1, 1)) the table has no objects"),
            ("[1, 2]", "Some((1, 2)) an object is expected here"),
            ("\"a\"", "Some((1, 1)) an object is expected here"),
            ("[{\"a\": 1} {\"a\": 2}]", "Some((1, 11)) a comma between"),
            (
                "[{\"a\": 1},",
                "Some((1, 11)) the array of the table is never closed",
            ),
            (
                "[{\"a\": 1}] 2",
                "Some((1, 12)) something follows the array",
            ),
            (
                "[\n {\"a\": 1",
                "Some((2, 2)) the table ends within an object",
            ),
            ("[\n {\"a\": x}]", "Some((2, 8)) expected value"),
            (
                "{\"a\": 1, \"a\": 2}",
                "Some((1, 15)) `a`: the name is there twice",
            ),
        ] {
            let message = rows(text).expect_err(text);
            assert!(message.starts_with(wrong), "{text}: {message}");
        }
    }

    #[test]
    fn a_field_that_the_first_rows_lack_is_a_fault() {
        let mut text = "{\"a\": 1}\n".repeat(1000);
        text += "{\"b\": 2}\n";
        let source = table(&text).expect("a good table");
        let (header, rows) = source.rest().expect("good rows");
        assert_eq!((header.len(), rows.len()), (1, 1001));
        let name = "b".to_owned();
        assert_eq!(rows[1000].fault(), Some(&RowFault::NewField { name }));
        assert_eq!(rows[999].fault(), None);
    }
}
