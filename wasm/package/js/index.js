// Rules and scripts of tabletop dice: compiled once, then rolled, solved and simulated.
// index.d.ts documents everything that is exported here.

import initialise, { compileRule, compileScript } from './engine.js';
import { during } from './host.js';

const address = new URL('./engine_bg.wasm', import.meta.url);
if (address.protocol === 'file:') {
  // Node has no fetch of files.
  const { readFile } = await import(/* @vite-ignore */ 'node:fs/promises');
  await initialise({ module_or_path: await readFile(address) });
} else {
  await initialise({ module_or_path: address });
}

/** What is wrong with a text, a call or a roll. */
export class DicecError extends Error {
  constructor(findings) {
    const first = findings.find((finding) => finding.is_error) ?? findings[0];
    super(first.message);
    this.name = 'DicecError';
    this.code = first.code;
    this.span = first.span;
    this.help = first.help;
    this.findings = findings.map(finding);
  }
}

const finding = ({ is_error, ...rest }) => ({ ...rest, isError: is_error });

/** Calls the module; its errors are JSON. */
function told(call, functions = {}) {
  try {
    return during(functions, call);
  } catch (error) {
    throw typeof error === 'string' ? new DicecError(JSON.parse(error)) : error;
  }
}

function text(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what} is a string, not ${typeof value}`);
  return value;
}

function whole(value, what, least) {
  if (Number.isSafeInteger(value) && value >= least) return value;
  const from = least === -Infinity ? '' : ` from ${least} on`;
  throw new RangeError(`${what} is a whole number${from}, not ${value}`);
}

/** A seed below 2^53, from the system's generator. */
function randomSeed() {
  const [low, high] = crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 11) * 2 ** 32 + low;
}

const seedOf = (options) =>
  options.seed === undefined ? randomSeed() : whole(options.seed, 'seed', 0);

/** One of several ways to say which faces fall. */
function faces(options) {
  const given = ['seed', 'faces', 'random'].filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new TypeError(`${given.join(' and ')} exclude each other`);
  return given[0] ?? 'seed';
}

/** Offsets in UTF-8 bytes as those of JavaScript's strings. */
function offsets(source) {
  if (!/[^\0-\x7f]/.test(source)) return (at) => at;
  const units = [];
  let unit = 0;
  for (const letter of source) {
    const bytes = new TextEncoder().encode(letter).length;
    units.push(...Array(bytes).fill(unit));
    unit += letter.length;
  }
  return (at) => units[at] ?? source.length;
}

/** A roll of a rule or a script with spans in its text, in place of offsets in bytes. */
function placed(roll, at) {
  const place = (part) => {
    const { start, end } = part;
    delete part.start;
    delete part.end;
    if (start !== undefined) part.span = { start: at(start), end: at(end) };
  };
  for (const one of roll.rolls ?? [roll]) {
    place(one);
    one.dice.forEach(place);
  }
  return roll;
}

class Program {
  #program;
  #at;
  #known = new Map();

  constructor(program, source) {
    this.#program = program;
    this.#at = offsets(source);
    const { notes, ...description } = JSON.parse(program.describe());
    Object.assign(this, description, { notes: notes.map(finding) });
  }

  /** The bound roll for these resources and arguments; the last ones are kept. */
  #bound({ roll, resources = {}, args = {} } = {}) {
    const words = [JSON.stringify(resources), JSON.stringify(args)];
    const key = JSON.stringify([roll ?? null, ...words]);
    let bound = this.#known.get(key);
    if (!bound) {
      bound = told(() => this.#program.bind(roll, ...words));
      if (this.#known.size >= 16) this.#forget();
      this.#known.set(key, bound);
    }
    return bound;
  }

  #forget() {
    for (const bound of this.#known.values()) bound.free();
    this.#known.clear();
  }

  roll(options = {}) {
    return placed(JSON.parse(this.#rolled(options)), this.#at);
  }

  #rolled(options) {
    const bound = this.#bound(options);
    const how = faces(options);
    if (how === 'faces') {
      const given = Float64Array.from(options.faces, (face) => whole(face, 'a face', -Infinity));
      return told(() => bound.rollFaces(given));
    }
    if (how === 'random') {
      const face = (sides) => 1 + Math.floor(options.random() * sides);
      return told(() => bound.rollCustom(), { face });
    }
    const seed = seedOf(options);
    return told(() => bound.roll(seed));
  }

  next(options = {}) {
    const given = [...(options.faces ?? [])];
    const next = { sides: null };
    const face = (sides) => {
      if (given.length > 0) return given.shift();
      next.sides = sides;
      // Nothing is known of what follows.
      throw next;
    };
    try {
      told(() => this.#bound(options).rollCustom(), { face });
    } catch (error) {
      if (error !== next) throw error;
    }
    return next.sides;
  }

  odds(options = {}) {
    const { progress } = options;
    return JSON.parse(told(() => this.#bound(options).odds(), { progress }));
  }

  simulate(options = {}) {
    const { progress } = options;
    const trials = whole(options.trials ?? 100_000, 'trials', 1);
    const seed = seedOf(options);
    const sampled = JSON.parse(told(() => this.#bound(options).simulate(trials, seed), { progress }));
    // The module has no clock.
    delete sampled.elapsed_ns;
    delete sampled.trials_per_second;
    return sampled;
  }

  session(options = {}) {
    return new Session(this.#bound(options).session(seedOf(options)), this.#at);
  }

  free() {
    this.#forget();
    this.#program.free();
  }
}

class Session {
  #session;
  #at;

  constructor(session, at) {
    this.#session = session;
    this.#at = at;
    this.#play();
  }

  #play() {
    this.roll = placed(JSON.parse(told(() => this.#session.play())), this.#at);
  }

  choose(option, answer = true) {
    const word = { true: 'yes', false: 'no' }[answer] ?? String(answer);
    told(() => this.#session.choose(text(option, 'option'), word));
    this.#play();
    return this.roll;
  }

  free() {
    this.#session.free();
  }
}

export function compile(rule, { dialect = 'rulebook' } = {}) {
  if (!['rulebook', 'notation'].includes(dialect)) {
    throw new RangeError(`dialect is "rulebook" or "notation", not ${JSON.stringify(dialect)}`);
  }
  return new Program(told(() => compileRule(text(rule, 'rule'), dialect === 'notation')), rule);
}

export function script(source) {
  return new Program(told(() => compileScript(text(source, 'script'))), source);
}

/** Compiles and rolls a rule once. */
export function roll(rule, options = {}) {
  const program = compile(rule, options);
  try {
    return program.roll(options);
  } finally {
    program.free();
  }
}
