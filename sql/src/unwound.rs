//! What panics while a statement is planned, or its rows are read, as an error.

use crate::error::SqlError;
use crate::store::in_table;
use dicec_lang::syntax::{FileCode, Finding};
use dicec_tables::{BadTable, unwound};
use std::path::Path;
use std::pin::pin;
use std::task::Poll;

/// Waits for what reads a file; a panic in it is an error about the file.
pub(crate) async fn reading<T>(path: &str, work: impl Future<Output = T>) -> Result<T, SqlError> {
    let ended = ended(work).await;
    ended.map_err(|why| in_table(Path::new(path), BadTable::damaged(&why)))
}

/// Waits for a statement; a panic of the engine is an error.
///
/// # Errors
/// What is wrong with the statement, or that the engine panicked.
pub async fn answering<T>(work: impl Future<Output = Result<T, SqlError>>) -> Result<T, SqlError> {
    ended(work).await.unwrap_or_else(|why| {
        let message = format!("the database engine gave up: {why}");
        Err(Finding::general(FileCode::BadSql.as_str(), message).into())
    })
}

/// What some work ends with, or what a panic says.
async fn ended<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let mut work = pin!(work);
    std::future::poll_fn(|task| match unwound(|| work.as_mut().poll(task)) {
        Ok(polled) => polled.map(Ok),
        Err(why) => Poll::Ready(Err(why)),
    })
    .await
}
