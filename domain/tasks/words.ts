/**
 * The words that tasks are found by. One function makes those that are stored and those that are
 * searched for, so a word that was copied out of a title always finds its task.
 */
const WORD = /[\p{L}\p{N}]{2,40}/gu;
export const TASK_WORDS_MAX = 200;
export const WANTED_WORDS_MAX = 8;

/** Distinct words in their order, in lower case; letters and digits alone make words. */
export function wordsOf(text: string, max: number): readonly string[] {
  const words = new Set<string>();
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (words.size === max) break;
    words.add(word);
  }
  return [...words];
}

export function taskWords(task: { readonly title: string; readonly description: string }) {
  return wordsOf(`${task.title}\n${task.description}`, TASK_WORDS_MAX);
}
