import assert from 'node:assert/strict';
import { COMMANDS as AGENT_COMMANDS } from '../../clients/typescript/cli/hub.ts';
import { helpOf } from '../../clients/typescript/cli/help.ts';
import { COMMANDS } from '../../server/cli.ts';
import { stepsOf } from '../discovery/_follow.ts';

describe('docs/commands.md', () => {
  const shown = stepsOf('docs/commands.md', true).map(({ text }) => text);
  /** The command and its verb, such as `task publish` of `hub task publish FILE`. */
  const wordsOf = (program: string): readonly (readonly string[])[] =>
    shown
      .filter((text) => text.startsWith(`${program} `))
      .map((text) => text.split(' ').slice(1))
      .filter(([name = '']) => /^[a-z]+$/.test(name));

  it('has every command of both programs', () => {
    for (const [program, commands] of [
      ['hub', AGENT_COMMANDS],
      ['hubctl', COMMANDS],
    ] as const) {
      const named = new Set(wordsOf(program).map(([name]) => name));
      const own = Object.keys(commands).filter((name) => name !== 'help' && name !== 'version');
      assert.deepEqual([...named].sort(), own.sort(), program);
    }
  });

  it('has words that the help of the command has', () => {
    for (const [name = '', verb = ''] of wordsOf('hub')) {
      const command = AGENT_COMMANDS[name];
      assert.ok(command !== undefined, name);
      if (/^[a-z]+$/.test(verb)) assert.match(helpOf(command), new RegExp(`\\b${verb}\\b`), name);
    }
    for (const [name = '', verb = ''] of wordsOf('hubctl')) {
      const help = COMMANDS[name]?.help ?? '';
      if (/^[a-z]+$/.test(verb)) assert.match(help, new RegExp(`\\b${verb}\\b`), name);
    }
  });
});
