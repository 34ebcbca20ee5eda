// The colours of rules and scripts: a tokenizer that is good enough to read by, and never wrong
// about where a text ends.

/**
 * @typedef {{text: string, kind: string}} Token kind is the end of a class: `token-dice`
 */

const KEYWORDS = new Set(
  (
    'import const deftype enum flags deffun table defroll if else while for repeat match break continue ' +
    'return let int float bool string list dice degree test succeeds from by ascending descending vs under ' +
    'and or not true false adv dis advantage disadvantage keep drop highest lowest middle'
  ).split(' '),
);

const SCRIPT = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<text>["“](?:\\.|[^"”\\\n])*["”]?)/,
    /(?<dice>(?<![A-Za-z_0-9])\d*d(?:\d+|%|\{[^}\n]*\})(?:(?:kh|kl|km|dh|dl|ro|r|!!|!p|!|min|max|cs|cf|k)(?:[<>]=?|=)?\d*)*(?![A-Za-z_]))/,
    /(?<number>\d[\d_]*(?:\.\d+)?)/,
    /(?<call>[A-Za-z_][A-Za-z_0-9]*(?=\())/,
    /(?<word>[A-Za-z_][A-Za-z_0-9]*)/,
    /(?<other>\s+|.)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gsu',
);

const RULE = new RegExp(
  [
    /(?<resource>\[[^\]]*\]?|@[A-Za-z_][\w.]*)/,
    /(?<comment>(?<=^|\s)#.*|\/\/[^\n]*)/,
    /(?<text>["“][^"”]*["”]?)/,
    /(?<dice>(?<![A-Za-z_])\d*[dD](?:\d+|%|[fF](?![A-Za-z])|\{[^}]*\}?|(?=[[(])))/,
    /(?<number>\d+(?:\.\d+)?)/,
    /(?<modifier>(?<![A-Za-z_])(?:kh|kl|km|dh|dl|k|ro|r|!!|!p|!|min|max|cs|cf|sd|sa|s|f|count|fail|double)(?=[\d<>=\s+\-*/)},]|$))/,
    /(?<call>[A-Za-z_][\w.]*(?=\())/,
    /(?<word>[A-Za-z_]\w*)/,
    /(?<operator>[<>=!]=?|[-+*/(),{}×÷−])/,
    /(?<other>\s+|.)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gsu',
);

const ANYDICE = new RegExp(
  [
    /(?<comment>\\[^\\]*(?:\\|$))/,
    /(?<text>"[^"]*"?)/,
    /(?<keyword>\b(?:output|named|function|result|if|else|loop|over|set|to)\b(?![^[\n]*\]))/,
    /(?<dice>\d+d\d+)/,
    /(?<number>\d+)/,
    /(?<resource>[A-Z_]+)/,
    /(?<other>\s+|[a-z]+|.)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gsu',
);

/** @param {string} text @returns {Token[]} */
export function programTokens(text) {
  return tokens(text, ANYDICE);
}

/** @param {string} text @returns {Token[]} */
export function ruleTokens(text) {
  return tokens(text, RULE).map(worded);
}

/** @param {string} text @returns {Token[]} */
export function scriptTokens(text) {
  return tokens(text, SCRIPT).map(worded);
}

/** A word is one of the language, or a name. @param {Token} token */
function worded(token) {
  const isKeyword = token.kind === 'word' || token.kind === 'call';
  return isKeyword && KEYWORDS.has(token.text) ? { ...token, kind: 'keyword' } : token;
}

/** Longer texts than this are not coloured, and no engine takes them. */
const LONGEST = 1 << 16;

/** @param {string} text @param {RegExp} grammar */
function tokens(text, grammar) {
  if (text.length > LONGEST) return [{ text, kind: 'other' }];
  return [...text.matchAll(grammar)].map((match) => {
    const kind =
      Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? 'other';
    return { text: match[0], kind };
  });
}
