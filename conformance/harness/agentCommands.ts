import assert from 'node:assert/strict';
import { runHub } from '../../clients/typescript/cli/hub.ts';

/** One run of `hub` in this process: its exit code and what it wrote. */
interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The commands of an agent, with keys and settings in a folder of its own. */
export interface AgentCommands {
  run(...words: string[]): Promise<CommandRun>;
  /** Runs one that has to end well; returns what it wrote. */
  done(...words: string[]): Promise<string>;
  json(...words: string[]): Promise<Record<string, unknown>>;
}

/** @param url Of the hub, asked at each run, since a suite may not have started it yet. */
export function agentCommands(home: string, url: () => string): AgentCommands {
  const run = async (...words: string[]): Promise<CommandRun> => {
    let [out, err] = ['', ''];
    const code = await runHub(words, {
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      env: { AGENT_HUB: url(), AGENT_HOME: home },
      stdin: (async function* none() {})(),
      isTerminal: { out: false, err: false },
      signal: new AbortController().signal,
    });
    return { code, out, err };
  };
  const done = async (...words: string[]): Promise<string> => {
    const { code, out, err } = await run(...words);
    assert.equal(code, 0, `${words.join(' ')}: ${out}${err}`);
    return out;
  };
  return {
    run,
    done,
    json: async (...words) => JSON.parse(await done(...words, '--json')) as Record<string, unknown>,
  };
}
