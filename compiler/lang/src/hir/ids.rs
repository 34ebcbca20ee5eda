//! The names by which the parts of a module refer to each other: indices of its lists.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A type's index in [`Module::types`](super::Module::types).
    TypeId;
    /// The index of an enum or flags in [`Module::enums`](super::Module::enums).
    EnumId;
    /// A function's index in [`Module::functions`](super::Module::functions).
    FunctionId;
    /// A variable's index in [`Function::locals`](super::Function::locals).
    LocalId;
    /// A resource's index in [`Module::resources`](super::Module::resources).
    Slot;
    /// A statistic's index in [`Module::stats`](super::Module::stats).
    StatId;
    /// An option's index in [`Module::options`](super::Module::options).
    OptionId;
    /// A constant's index in [`Module::constants`](super::Module::constants).
    ConstantId;
}
