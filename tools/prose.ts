/**
 * Words that have an ordinary one in their place, such as "no client", "returns" or "untrusted".
 * Pages, comments, titles of tests, errors and texts of the contract do without them.
 */
const REJECTED = [
  'nobody|somebody|anybody|whoever|strangers?|who asks|those that wait',
  'tells?|told|hears?|heard|what became of|c[oa]mes? (?:to pass|by)',
  'anew|afresh|in one breath',
];
const REJECTED_WORD = new RegExp(`\\b(?:${REJECTED.join('|')})\\b`, 'gi');

/** Returns the rejected words of a text in their order. Spans in backticks are code. */
export function rejectedWords(text: string): readonly string[] {
  return [...text.replace(/`[^`]*`/g, '').matchAll(REJECTED_WORD)].map(([word]) => word);
}

/** Whether a text has a rejected word anywhere, in code as well; a false answer saves parsing it. */
export function mayBeRejected(text: string): boolean {
  return text.search(REJECTED_WORD) !== -1;
}
