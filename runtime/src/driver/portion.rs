//! The number of trials in each call of a kernel: the caller can stop a run, and gets its progress,
//! only between calls.

use crate::clock::Clock;
use crate::kernel::Kernel;
use std::time::Duration;

/// How long a call should take at most.
const LONGEST: Duration = Duration::from_millis(50);

/// A call that took less than this part of that may be followed by a longer one.
const QUICK: u32 = 8;

/// The factor by which consecutive calls grow. A thread's first call is as short as a kernel
/// allows: one trial may roll ten million dice.
const STEP: usize = 8;

/// Chooses the number of trials of the next call of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portion {
    trials: usize,
    /// Calls of whole groups give the same results as longer ones.
    group: usize,
    most: usize,
}

impl Portion {
    pub(super) fn new<K: Kernel + ?Sized>(kernel: &K) -> Self {
        let most = kernel.slice().max(1);
        let group = kernel.group().clamp(1, most);
        Self {
            trials: group,
            group,
            most,
        }
    }

    /// The number of trials of the next call, of these that are left.
    pub(super) fn of(self, left: u64) -> usize {
        // At most a slice, so the conversion keeps the value.
        left.min(self.trials as u64) as usize
    }

    /// Runs a call, and learns how long calls take.
    pub(super) fn timed<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let start = Clock::start();
        let done = call();
        self.learn(start.elapsed());
        done
    }

    fn learn(&mut self, took: Duration) {
        if took > LONGEST {
            let share = LONGEST.as_secs_f64() / took.as_secs_f64();
            self.set((self.trials as f64 * share) as usize);
        } else if self.trials < self.most && took < LONGEST / QUICK {
            self.set(self.trials.saturating_mul(STEP));
        }
    }

    fn set(&mut self, trials: usize) {
        let groups = trials.min(self.most) / self.group;
        self.trials = groups.max(1) * self.group;
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Portion};
    use std::time::Duration;

    #[test]
    fn slow_trials_come_in_whole_groups_and_few_at_a_time() {
        let mut portion = Portion {
            trials: 4096,
            group: 32,
            most: 4096,
        };
        portion.learn(LONGEST * 10);
        assert_eq!(portion.of(u64::MAX), 384);
        portion.learn(LONGEST * 1000);
        assert_eq!(portion.of(u64::MAX), 32);
        assert_eq!(portion.of(7), 7);
        for _ in 0..3 {
            portion.learn(Duration::from_millis(1));
        }
        assert_eq!(portion.of(u64::MAX), 4096);
    }
}
