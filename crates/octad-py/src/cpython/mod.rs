//! Every raw use of CPython's C API, behind safe functions.
//!
//! One of the two homes of `unsafe` (the other is `octad-core/src/scan/`). Code outside this folder
//! sees [`Obj`] and functions on it; it never sees a raw pointer. All functions here need the
//! interpreter, which an [`Obj`] proves: it can only be made, used and dropped while attached.
#![allow(unsafe_code)] // this folder is one of the two homes of unsafe

mod attached;
mod borrow;
mod buffer;
mod build;
mod bytes;
mod chars;
mod dict_table;
mod direct;
mod entries;
mod fastcall;
mod fields;
mod gc;
mod instance;
mod interpreter;
mod keys;
mod loan;
mod moments;
mod new_instance;
mod new_moment;
pub mod number;
mod object;
mod repeats;
mod rest;
mod scalars;
mod shapes;
mod shared_keys;
mod split_table;
mod stack;
mod stored;
pub mod str;
mod strings;
mod types;

pub use borrow::{Item, Quiet};
pub use buffer::{ascii_of, copy_buffer, share_ascii, share_bytes, share_map};
pub use build::{NewDict, NewList};
pub use bytes::Short;
pub use dict_table::learn_dict_layout;
pub use direct::{
    Behind, DirectFunction, DirectMethod, attached, put_before_function, put_before_method,
};
pub use entries::{Content, DictPlace, DictRef, DictView, ListRef, ListView, Str, TupleRef};
pub use fastcall::{OneValue, add_function};
pub use fields::Fields;
pub use gc::Held;
pub use instance::{Maker, store};
pub use interpreter::claim_interpreter;
pub use keys::{Keys, Trail};
pub use loan::{Lendable, Loan, Refusal, lend};
pub use moments::look_at_zones;
pub use new_instance::NewInstance;
pub use new_moment::new_moment;
pub use object::Obj;
pub use rest::Rest;
pub use scalars::{BigInt, Int, check_int_layout, fill_bytearray};
pub use shapes::{KeysHash, Place, Shape, ShapeId, Shapes, Sighting};
pub use shared_keys::{shared_keys, shared_keys_mode};
pub use split_table::{MOST, NewRecord};
pub use stack::StackEnd;
pub use strings::Strings;
pub use types::{Base, TypeStamp};
