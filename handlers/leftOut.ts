/** The member of an answer that names the words which a search did not look for, when there are. */
export function leftOutOf(words: readonly string[] | undefined): { leftOut?: string[] } {
  return words === undefined || words.length === 0 ? {} : { leftOut: [...words] };
}
