//! The errors of DataFusion as findings: ours, if it or another machine wrapped them, or its own
//! message.

use crate::error::{SqlError, within};
use crate::wire;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use dicec_lang::syntax::{FileCode, Finding};

/// What to do about a statement that takes too much memory.
const MORE_MEMORY: &str = "allow more with `--memory MIB`, or choose fewer rows or columns before \
                           they are joined, grouped or sorted";

/// Our findings, wherever DataFusion or a cluster wrapped them; else its own message as one.
impl From<DataFusionError> for SqlError {
    fn from(error: DataFusionError) -> Self {
        if let Some(ours) = within(&error) {
            return ours.clone();
        }
        if let DataFusionError::SQL(parser, _) = error.find_root() {
            let message = match parser.as_ref() {
                ParserError::ParserError(why) | ParserError::TokenizerError(why) => why.clone(),
                ParserError::RecursionLimitExceeded => "it is nested too deep".to_owned(),
            };
            let message = format!("the statement is not SQL: {message}");
            return Finding::general(FileCode::BadSql.as_str(), message).into();
        }
        if let DataFusionError::ResourcesExhausted(why) = error.find_root() {
            let code = FileCode::TooMuchMemory.as_str();
            let message = format!("the statement takes more memory than it may: {why}");
            return Finding::general(code, message).help(MORE_MEMORY).into();
        }
        let message = error.strip_backtrace();
        if let Some(ours) = wire::read(&message) {
            return ours;
        }
        Finding::general(FileCode::BadSql.as_str(), message.trim()).into()
    }
}
