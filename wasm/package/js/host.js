// The functions of the caller while a call runs: the module that is compiled has no others.

let current = {};

/** Runs `call` with these functions; a call inside a call has its own. */
export function during(functions, call) {
  const before = current;
  current = functions;
  try {
    const done = call();
    if (current.failure) throw current.failure.error;
    return done;
  } catch (error) {
    throw current.failure ? current.failure.error : error;
  } finally {
    current = before;
  }
}

/** The face of a die; 0, which no die shows, after an error of the caller, which `during` throws. */
export function face(sides) {
  try {
    return Number(current.face(sides));
  } catch (error) {
    current.failure = { error };
    return 0;
  }
}

/** Whether to go on: the caller has not answered `false`. */
export function progress(done, of) {
  if (!current.progress) return true;
  try {
    return current.progress(done, of) !== false;
  } catch (error) {
    current.failure = { error };
    return false;
  }
}
