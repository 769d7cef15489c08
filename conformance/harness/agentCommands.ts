import { runHub } from '../../clients/typescript/cli/hub.ts';

/** One run of `hub` in this process: its exit code and what it wrote. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of agents against a hub, with keys and settings in the folder `home`. */
export async function runCommand(
  hub: string,
  home: string,
  words: readonly string[],
): Promise<CommandRun> {
  let [out, err] = ['', ''];
  const code = await runHub(words, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { AGENT_HUB: hub, AGENT_HOME: home },
    stdin: (async function* none() {})(),
    isTerminal: { out: false, err: false },
    signal: new AbortController().signal,
  });
  return { code, out, err };
}
