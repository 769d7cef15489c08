import type { Deal } from './model.ts';

/**
 * What a task is looked for in the registry by: the skills that it requires or, when it requires
 * none, the names that tools with such a title tend to have.
 */
export function skillsSought(task: Pick<Deal, 'requiredSkills' | 'title'>): readonly string[] {
  if (task.requiredSkills.length > 0) return task.requiredSkills;
  const words = task.title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const pairs = words.slice(1).flatMap((word, place) => {
    const before = words[place] ?? '';
    return [`${before}_${word}`, `${before}-${word}`];
  });
  return [...new Set([...words, ...pairs])];
}
