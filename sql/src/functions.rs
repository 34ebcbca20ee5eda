//! The functions as DataFusion sees them: it hands in the arguments, their types and which of them
//! are constants, when it plans a statement and for each batch of rows.

use crate::call::{Argument, Call, Function};
use crate::cells::Cells;
use crate::matchups::Matchups;
use crate::questions::{Questions, lock};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::ScalarValue;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    TypeSignature, Volatility,
};
use datafusion::prelude::SessionContext;
use dicec_runtime::bug;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The names of all functions, that of the table function last.
pub const NAMES: [&str; 7] = [
    "dice_mean",
    "dice_p",
    "dice_quantile",
    "dice_odds",
    "dice_sim",
    "dice_encounter",
    "dice_matchups",
];

/// Adds the functions to a session. What `questions` remembers is shared by all sessions that have
/// it.
pub fn register(context: &SessionContext, questions: &Arc<Questions>) {
    for function in functions(questions) {
        context.register_udf(function);
    }
    context.register_udtf("dice_matchups", Arc::new(Matchups));
}

/// The functions that give a value for each row, for a registry of one's own.
pub fn functions(questions: &Arc<Questions>) -> Vec<ScalarUDF> {
    let all = Function::ALL.into_iter();
    let all = all.map(|function| {
        ScalarUDF::from(DiceFunction {
            function,
            signature: Signature::one_of(
                // Without arguments, so that we say what is missing.
                vec![TypeSignature::VariadicAny, TypeSignature::Nullary],
                Volatility::Immutable,
            ),
            questions: Arc::clone(questions),
        })
    });
    all.collect()
}

/// One of the functions.
#[derive(Debug)]
struct DiceFunction {
    function: Function,
    signature: Signature,
    questions: Arc<Questions>,
}

impl DiceFunction {
    fn call(&self, arguments: &[Argument<'_>]) -> Result<Call> {
        Ok(Call::new(self.function, arguments)?)
    }
}

/// What the questions remember changes no answer.
impl PartialEq for DiceFunction {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for DiceFunction {}

impl Hash for DiceFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl ScalarUDFImpl for DiceFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What a column is called that nobody names: as the call is written, with its texts in quotes.
    fn schema_name(&self, arguments: &[Expr]) -> Result<String> {
        let shown = arguments.iter().map(|argument| match argument {
            Expr::Literal(value, _) => match value.try_as_str() {
                Some(Some(text)) => format!("'{}'", text.replace('\'', "''")),
                _ => value.to_string(),
            },
            other => other.schema_name().to_string(),
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        Ok(format!("{}({shown})", self.name()))
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        let bug = bug!("the type of a call without its constants");
        Err(DataFusionError::Internal(bug.to_string()))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let arguments = args.arg_fields.iter().zip(args.scalar_arguments);
        let arguments = arguments.map(|(field, value)| Argument {
            ty: field.data_type(),
            value: *value,
        });
        let call = self.call(&arguments.collect::<Vec<_>>())?;
        let question = self.questions.get(call)?;
        let ty = lock(&question)?.data_type();
        Ok(Arc::new(Field::new(self.name(), ty, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arguments = args.arg_fields.iter().zip(&args.args);
        let arguments = arguments.map(|(field, value)| Argument {
            ty: field.data_type(),
            value: match value {
                ColumnarValue::Scalar(value) => Some(value),
                ColumnarValue::Array(_) => None,
            },
        });
        let call = self.call(&arguments.collect::<Vec<_>>())?;
        let cells = Cells::new(&call, &args.args, args.number_rows)?;
        let question = self.questions.get(call)?;
        let mut question = lock(&question)?;
        let (column, clamped) = question.answers(&cells)?;
        self.questions.note(&question, clamped)?;
        match cells.is_constant() {
            true => Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(
                &column, 0,
            )?)),
            false => Ok(ColumnarValue::Array(column)),
        }
    }
}
