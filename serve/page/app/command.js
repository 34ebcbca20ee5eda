// The command line that asks the same question, quoted for a shell.

/** @param {string} text */
export function quoted(text) {
  return /^[A-Za-z0-9_./:=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {(string | null | false | undefined)[]} words words,
 *   of which those that do not apply are left out
 */
export function line(words) {
  return [
    'dicec',
    ...words
      .filter((word) => typeof word === 'string')
      .map((word) => quoted(/** @type {string} */ (word))),
  ].join(' ');
}

/**
 * Exact odds of rules next to each other; with a sample, the simulation of one.
 * @param {string[]} rules
 * @param {{dialect: string, set: Record<string, any>, sample?: {trials: number,
 *   seed: number}}} asked
 */
export function ruleCommand([first, ...others], { dialect, set, sample }) {
  return line([
    sample ? 'sim' : 'odds',
    first,
    ...Object.entries(set).flatMap(([name, value]) => ['-r', `${name}=${value}`]),
    ...others.flatMap((rule) => ['--compare', rule]),
    ...(sample ? ['-n', String(sample.trials), '--seed', String(sample.seed)] : []),
    ...(dialect === 'rulebook' ? [] : ['-d', dialect]),
  ]);
}

/** Exact odds of the outputs of an AnyDice program. @param {string} text */
export function programCommand(text) {
  return line(['odds', '-d', 'anydice', text]);
}

/**
 * A command about a script, in the file that the page saves under this name.
 * @param {string} verb @param {string} file
 * @param {{roll: string, arguments: any, options?: Record<string, string>, choices?: Record<string,
 *   any>, seed?: number}} asked
 */
export function scriptCommand(
  verb,
  file,
  { roll, arguments: args, options = {}, choices = {}, seed },
) {
  const given = Object.keys(args ?? {}).length > 0;
  return line([
    verb,
    file,
    '--roll',
    roll,
    ...(given ? ['--args', JSON.stringify(args)] : []),
    ...Object.entries(options).flatMap(([text, how]) => ['--option', `${text}=${how}`]),
    ...Object.entries(choices).flatMap(([path, answer]) => ['--choose', choice(path, answer)]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
  ]);
}

/**
 * An option without a path is the first thing in its roll, and so the first option.
 * @param {string} path
 * @param {any} answer
 */
function choice(path, answer) {
  const word = answer === true ? 'yes' : answer === false ? 'no' : answer;
  return `${path === '' ? '1' : path}=${word}`;
}

/**
 * The lines that write a file; its end is a word that the text does not have.
 * @param {string} file
 * @param {string} text
 */
export function written(file, text) {
  let end = 'END';
  while (text.includes(end)) end += 'D';
  return `cat > ${file} <<'${end}'\n${text}\n${end}\n`;
}
