import { trialAnswers } from '../../db/tasks/trials.ts';
import type { AcceptanceRule, RuleRefusal, Verdict } from '../../domain/acceptance/rule.ts';
import { RESULT_BYTES_MAX } from '../../domain/tasks/limits.ts';
import { judgeTrial } from '../../domain/tasks/trial.ts';
import { type Task, isTrial } from '../../domain/tasks/model.ts';
import type { Asker, Compiled } from '../kernel/checks/checks.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import type { FoundFile } from './files.ts';
import { judgedFiles } from './judgedFiles.ts';

/** The rule that compiled; refuses with `bad-acceptance`, and the place in it, when none did. */
export function ruleIn(
  compiled: Compiled | RuleRefusal,
  field = 'body.acceptance',
): AcceptanceRule {
  return mustCompile(compiled, field).rule;
}

/** The compiled rule with its budget; refuses as `ruleIn` does. */
export function mustCompile(compiled: Compiled | RuleRefusal, field = 'body.acceptance'): Compiled {
  if (!('refused' in compiled)) return compiled;
  return refuse('bad-acceptance', {
    error: `The acceptance rule cannot be judged: ${field}${compiled.pointer} ${compiled.why}.`,
    field: `${field}${compiled.pointer}`,
  });
}

/** Refuses a result that is over its size before anything else is asked about it. */
export function mustFit(result: unknown): void {
  if (Buffer.byteLength(JSON.stringify(result)) > RESULT_BYTES_MAX) {
    refuse('body-too-large', {
      error: `The result is over ${RESULT_BYTES_MAX} bytes.`,
      hint: 'Store it with POST /api/v1/files and send a short result with `files: [{owner, key, sha256}]`, the `owner`, `key` and `sha256` of that answer; the parties of the task read it.',
      field: 'body.result',
    });
  }
}

/** A result as it is judged, with the files that it names. */
interface Brought {
  readonly result: unknown;
  readonly found?: readonly FoundFile[] | undefined;
  readonly from: Asker;
}

/**
 * A result against the task's rule, before the transaction: a check may take a worker thread. Only
 * for a caller that may deliver, so that no other call costs a check.
 */
export async function judgeResult(
  hub: Hub,
  task: Task,
  { result, found = [], from }: Brought,
): Promise<Verdict> {
  if (task.acceptance === undefined) return { accepted: true };
  const files = await judgedFiles(hub, task.acceptance, found);
  const verdict = await hub.checks.judge(task.acceptance, result, from, files);
  if (!verdict.accepted || !isTrial(task)) return verdict;
  hub.trial?.stop('the verdict, which an entrance trial gets once');
  return judgeTrial(await hub.store.readOne((db) => trialAnswers(db, task.id)), result);
}
