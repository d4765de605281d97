//! `Loan`: something on the stack of a running call, lent to a Python object.
//!
//! The object may be kept, handed to other threads and used after the call; the loan then says so.
//! What was lent is reached by one user at a time, on the thread of the call, while the call runs.

use core::cell::Cell;
use core::mem::transmute_copy;
use core::ptr::NonNull;
use std::sync::Arc;
use std::thread::{self, ThreadId};

/// What can be lent: a type that may borrow from the call.
pub trait Lendable: 'static {
    /// The type, borrowing for `'a`.
    type As<'a>: ?Sized;
}

/// Why what was lent cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The call has ended.
    Ended,
    /// It is in use further out on the stack.
    InUse,
    /// The call runs on another thread.
    OtherThread,
}

enum State<T: ?Sized> {
    Free(NonNull<T>),
    InUse,
    Ended,
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for State<T> {}

/// The borrower's half.
pub struct Loan<L: Lendable> {
    thread: ThreadId,
    state: Cell<State<L::As<'static>>>,
}

// SAFETY: `state` is only touched on the thread that made the loan, which `with` compares first and
// `Lender` cannot leave; dropping a loan elsewhere touches nothing that was lent.
unsafe impl<L: Lendable> Send for Loan<L> {}
// SAFETY: as above.
unsafe impl<L: Lendable> Sync for Loan<L> {}

/// Ends the loan when the call leaves, whichever way.
struct Lender<'l, L: Lendable>(&'l Loan<L>);

impl<L: Lendable> Drop for Lender<'_, L> {
    fn drop(&mut self) {
        self.0.state.set(State::Ended);
    }
}

/// Runs `work` with a loan of `thing`, which ends with it.
pub fn lend<L: Lendable, R>(thing: &mut L::As<'_>, work: impl FnOnce(Arc<Loan<L>>) -> R) -> R {
    let place = NonNull::from(thing);
    // SAFETY: the same pointer type but for a lifetime. What it points to stays borrowed by this
    // function, and is only reached by `with`, which demands a user for whom any lifetime will do.
    let place: NonNull<L::As<'static>> = unsafe { transmute_copy(&place) };
    let loan = Arc::new(Loan::<L> {
        thread: thread::current().id(),
        state: Cell::new(State::Free(place)),
    });
    let _lender = Lender(&*loan);
    work(loan.clone())
}

impl<L: Lendable> Loan<L> {
    /// Runs `work` with what was lent.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn with<R>(&self, work: impl for<'a> FnOnce(&mut L::As<'a>) -> R) -> Result<R, Refusal> {
        /// Gives it back, unless the loan has ended.
        struct Back<'l, L: Lendable>(&'l Loan<L>, NonNull<L::As<'static>>);
        impl<L: Lendable> Drop for Back<'_, L> {
            fn drop(&mut self) {
                if let State::InUse = self.0.state.get() {
                    self.0.state.set(State::Free(self.1));
                }
            }
        }
        if thread::current().id() != self.thread {
            return Err(Refusal::OtherThread);
        }
        let mut place = match self.state.get() {
            State::Free(place) => place,
            State::InUse => return Err(Refusal::InUse),
            State::Ended => return Err(Refusal::Ended),
        };
        self.state.set(State::InUse);
        let _back = Back(self, place);
        // SAFETY: the call that lent it is further out on the stack of this very thread and holds
        // the only borrow; `InUse` keeps others away until `_back` is dropped.
        Ok(work(unsafe { place.as_mut() }))
    }
}
