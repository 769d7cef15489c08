import { spawn } from 'node:child_process';
import { GiveBack, work, type Job } from '../index.ts';
import { countOf, isSet, textOf, type Call, type ExitCode } from './command.ts';
import { atomic, usdc } from './money.ts';
import type { Session } from './session.ts';
import { jsonText, plain, progress, show } from './show.ts';

const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

/** Works the queue with a program of the user's; ends by count or by an interruption. */
export async function workByCommand(
  call: Call,
  { hub }: Session,
  command: string,
): Promise<ExitCode> {
  const count = countOf(call, 'count') ?? Infinity;
  const { skill } = call.values;
  const minReward = textOf(call, 'min-reward');
  const { signal } = call.io;
  const status = progress(call.io);
  const options = {
    signal,
    ...(Array.isArray(skill) && { skills: skill.map(String) }),
    ...(minReward !== undefined && { minReward: atomic(minReward, isSet(call, 'atomic')) }),
  };
  status.say('waiting for work');
  let [done, accepted] = [0, 0];
  try {
    for await (const { task, outcome } of work(hub, options, (job) =>
      solve(command, job, status),
    )) {
      status.end();
      const pays = outcome.split === undefined ? '' : `  ${usdc(outcome.split.worker)}`;
      show(call, outcome, () => `${outcome.outcome}${pays}  ${task.id}  ${plain(task.title)}\n`);
      done += 1;
      if (outcome.outcome !== 'refused') accepted += 1;
      if (done >= count) return accepted > 0 ? 0 : 1;
      status.say('waiting for work');
    }
  } finally {
    status.end();
  }
  return signal.aborted ? 130 : 0;
}

async function solve(
  command: string,
  job: Job,
  status: ReturnType<typeof progress>,
): Promise<unknown> {
  status.say(`working on "${job.task.title}"`);
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= OUTPUT_BYTES_MAX) chunks.push(chunk);
    else child.kill();
  });
  // A program that reads nothing closes its end early; that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(jsonText({ task: job.task, deliver: job.deliver, refused: job.refused }));
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  if (code !== 0) throw new GiveBack('The worker could not do it.');
  return resultOf(Buffer.concat(chunks).toString('utf8').trim());
}

/** JSON objects and lists are taken as such; everything else is the text that was written. */
function resultOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
