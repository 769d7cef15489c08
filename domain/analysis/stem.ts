/** Cuts English endings consistently, not by grammar; other languages and short words stay. */
const ENDINGS = [
  'izations',
  'ization',
  'ations',
  'ation',
  'ators',
  'ator',
  'ating',
  'ated',
  'ates',
  'ate',
  'izers',
  'izer',
  'izing',
  'ized',
  'izes',
  'ize',
  'ments',
  'ment',
  'ings',
  'ing',
  'ions',
  'ion',
  'ers',
  'er',
  'ors',
  'or',
  'ied',
  'ies',
  'ed',
  'es',
  'ly',
  's',
  'e',
  'y',
] as const;
const ENGLISH = /^[a-z]+$/;
const STEM_LENGTH_MIN = 3;

export function stem(word: string): string {
  if (word.length <= STEM_LENGTH_MIN || !ENGLISH.test(word) || word.endsWith('ss')) return word;
  const ending = ENDINGS.find(
    (each) => word.endsWith(each) && word.length - each.length >= STEM_LENGTH_MIN,
  );
  if (ending === undefined) return word;
  const left = word.slice(0, word.length - ending.length);
  // So "mapping" becomes "map", and "trolls" stays "troll".
  const doubled = ending !== 's' && ending !== 'e' && /([bdgklmnprt])\1$/.test(left);
  return doubled && left.length > STEM_LENGTH_MIN ? left.slice(0, -1) : left;
}
