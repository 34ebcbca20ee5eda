/** A part of a text, in UTF-16 code units as JavaScript counts them. */
export interface Span {
  start: number;
  end: number;
}

/** An error or a note about a text, a call or a roll. */
export interface Finding {
  /** A stable code such as `D0101`; absent if the call is wrong, rather than a text. */
  code?: string;
  isError: boolean;
  message: string;
  span?: Span;
  help?: string;
}

/** What is wrong with a text, a call or a roll: the first error, and all findings. */
export class DicecError extends Error {
  readonly code?: string;
  readonly span?: Span;
  readonly help?: string;
  readonly findings: Finding[];
}

/** The values of a program's resources (`[Strength]`), and the arguments of a script's roll. */
export interface Given {
  /** Whole numbers by the names of resources. */
  resources?: Record<string, number>;
  /** The name of a script's roll; may be left out where it has only one. */
  roll?: string;
  /** The arguments of that roll by the names of its parameters. */
  args?: Record<string, unknown>;
}

/** Where the faces of one roll come from; without any, a random seed of the system. */
export interface Faces {
  /** A whole number from 0 to 2^53 - 1: the same seed gives the same roll. */
  seed?: number;
  /** The faces that dice show, in the order in which they are rolled. */
  faces?: readonly number[];
  /** A source of numbers from 0 up to 1, without 1, such as `Math.random`: one number a die. */
  random?: () => number;
}

/** Called from time to time with the work done, and all of it (0 if unknown); `false` cancels. */
export type Progress = (done: number, of: number) => boolean | void;

/** A die of a roll. */
export interface Die {
  sides: number;
  /** The face, from 1 to the sides. */
  face: number;
  /** What the die shows. */
  value: number;
  kept: boolean;
  /** `kept`, `dropped`, `exploded`, `rerolled`, `critical`, `fumble` and others. */
  flags: string[];
  /** Its term in the rule. */
  span?: Span;
}

/** One roll of a rule (docs/json.md has all members). */
export interface Roll {
  kind: "number" | "check" | "degree" | "test" | "label";
  expression: string;
  /** The result of a number; null for others. */
  total: number | null;
  check: boolean | null;
  degree: string | null;
  label: string | null;
  dice: Die[];
  /** The rule with its faces, as text. */
  rendered: string;
  /** The seed that gives the roll again; null for given faces. */
  seed: number | null;
  [member: string]: unknown;
}

/** One roll of a script (docs/json.md has all members). */
export interface Played {
  /** Options that a player can choose now. */
  options: { path: string; text: string; [member: string]: unknown }[];
  [member: string]: unknown;
}

/** The probability of one result. */
export interface Outcome {
  value: number | string | boolean;
  p: number;
  /** The numerator over the denominator of the odds, if they are fractions. */
  weight: string | null;
  [member: string]: unknown;
}

/** Odds, exact or sampled (docs/json.md has all members). */
export interface Odds {
  kind: string;
  exact: boolean;
  denominator: string | null;
  outcomes: Outcome[];
  mean: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
  /** The chance of a check. */
  p: number | null;
  [member: string]: unknown;
}

/** The odds of a script's roll (docs/json.md has all members). */
export interface ScriptOdds {
  /** The name of the roll. */
  roll: string;
  label: string;
  /** The odds of its result; null if it returns nothing. */
  result: Odds | null;
  [member: string]: unknown;
}

/** A compiled rule or script: `free()` gives its memory back before the collector does. */
export interface Program<R, O> {
  /** The text in its normal layout. */
  readonly text: string;
  /** What a rule gives. */
  readonly kind?: string;
  readonly resources: string[];
  readonly rolls: { name: string; label: string; parameters: string }[];
  /** The texts of the options that a script offers. */
  readonly options: string[];
  readonly notes: Finding[];
  roll(options?: Given & Faces): R;
  /** The sides of the die that is rolled after these faces (from 1 to the sides); null if none is. */
  next(options?: Given & { faces?: readonly number[] }): number | null;
  /** Exact odds. */
  odds(options?: Given & { progress?: Progress }): O;
  /** Odds of a number of trials, 100,000 if it is left out. */
  simulate(options?: Given & { trials?: number; seed?: number; progress?: Progress }): O;
  /** A roll of a script in which a player makes choices. */
  session(options?: Given & { seed?: number }): Session;
  free(): void;
}

/** A roll of a script with the choices made so far. */
export interface Session {
  /** The roll as it is now. */
  readonly roll: Played;
  /** Answers an option, by its path or its text; dice that were rolled keep their faces. */
  choose(option: string, answer?: boolean | number | string): Played;
  free(): void;
}

/** How a rule is read. */
export interface Reading {
  /** `rulebook` (the default) or the `notation` of virtual tabletops. */
  dialect?: "rulebook" | "notation";
}

/** Compiles a rule. Throws a {@link DicecError}. */
export function compile(rule: string, options?: Reading): Program<Roll, Odds>;
/** Compiles a script of the rolling language. Throws a {@link DicecError}. */
export function script(source: string): Program<Played, ScriptOdds>;
/** Compiles and rolls a rule once. */
export function roll(rule: string, options?: Reading & Given & Faces): Roll;
