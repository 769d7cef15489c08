import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustCompile } from '../../workflows/tasks/acceptance.ts';
import { presentRefusal } from './present/task.ts';

type Rehearsal = Schemas['Rehearsal'];

/** The same compiler and judge that a publication and a delivery meet, and nothing else. */
export const rehearse: Handler<'tasks.rehearse'> = async ({ body, caller }, { checks }) => {
  const { rule, budget } = mustCompile(await checks.compile(body.acceptance, caller));
  const verdicts: Rehearsal['verdicts'][number][] = [];
  for (const result of body.results) {
    const verdict = await checks.judge(rule, result, caller);
    verdicts.push(
      verdict.accepted
        ? { accepted: true }
        : { accepted: false, refused: verdict.refused.map(presentRefusal) },
    );
  }
  const accepted = verdicts.filter((each) => each.accepted).length;
  return { status: 200, body: { count: verdicts.length, accepted, verdicts, budget } };
};
