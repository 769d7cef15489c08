import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** Runs a program whose output goes into the file `log`; answers its exit code. */
export async function runInto(log, command, words) {
  const output = openSync(log, 'w');
  const child = spawn(command, words, { stdio: ['ignore', output, output] });
  closeSync(output);
  const [code] = await once(child, 'close');
  return code;
}
