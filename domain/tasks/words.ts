import type { Task } from './model.ts';
import { isPrivate } from './privacy.ts';

/**
 * The words that tasks are found by. One function makes those that are stored and those that are
 * searched for, so a word that was copied out of a title always finds its task.
 */
const WORD = /[\p{L}\p{N}]{1,40}/gu;
const IS_INDEXED = /../u;
export const TASK_WORDS_MAX = 200;
const WANTED_WORDS_MAX = 8;

/** Distinct words in their order, in lower case; two or more letters or digits make a word. */
export function wordsOf(text: string, max: number): readonly string[] {
  const words = new Set<string>();
  for (const word of allWords(text)) {
    if (words.size === max) break;
    if (IS_INDEXED.test(word)) words.add(word);
  }
  return [...words];
}

function* allWords(text: string): Generator<string> {
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) yield word;
}

/** Returns the words that a filter looks for, and those of its text that it does not look for. */
export function wantedWords(text: string) {
  const words = wordsOf(text, WANTED_WORDS_MAX);
  const leftOut = [...new Set(allWords(text))].filter((word) => !words.includes(word));
  return { words, leftOut };
}

export function taskWords(task: Pick<Task, 'title' | 'description' | 'audience'>) {
  const { title, description } = task;
  return wordsOf(isPrivate(task) ? title : `${title}\n${description}`, TASK_WORDS_MAX);
}
