import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A command that runs a package by an unregistered name runs the code of the first one to register
 * it. So shown commands fetch from a hub, a file, or registered names (choices clients.package).
 */
const SHOWN = ['*.md', 'clients', 'docs', 'handlers', 'server', 'spec', 'tools/docs', 'workflows'];
const OTHERS = ['spec/vectors/', 'spec/examples/', '.test.ts'];

const COMMAND =
  /\b(?:npx|bunx|npm (?:install|i|exec)|(?:pnpm|yarn) (?:dlx|add)|pip install|uvx|pipx run)((?: +-[-\w]+)*)(?: +([^\s`'"|]+))?/g;
const FROM_A_HUB =
  /^(?:https?:\/\/[\w.:-]+|URL|\$\{\w+\})(?:\/client\.tgz|\/[\w.-]+\.whl|\$\{(?:\w+\.)?path\})|^\$\{(?:client\.)?url\}/;
const FROM_A_FILE = /^\.\.?\//;
/** Development tools of this repository, and packages of others that exist. */
const REGISTERED = new Set([
  ...['mocha', 'tsc', 'eslint', 'prettier', 'tsx', 'cryptography', 'pyrage'],
  ...['@modelcontextprotocol/sdk'],
  ...['claude-agent-sdk==0.2.189', 'langgraph==1.2.24'],
]);

function unsafeIn(text: string): readonly string[] {
  return [...text.matchAll(COMMAND)].flatMap(([command, flags = '', from = '']) => {
    const isSafe =
      from === '' ||
      /(?:^| )--no(?: |$)/.test(flags) ||
      FROM_A_HUB.test(from) ||
      FROM_A_FILE.test(from) ||
      REGISTERED.has(from);
    return isSafe ? [] : [command];
  });
}

describe('commands that fetch a package', () => {
  it('name a hub, a file or a registered package wherever the project shows one', () => {
    const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...SHOWN], {
      encoding: 'utf8',
    }).split('\n');
    const shown = paths.filter(
      (path) => path !== '' && !OTHERS.some((each) => path.includes(each)),
    );
    assert.ok(shown.length > 500);
    const unsafe = shown.flatMap((path) =>
      unsafeIn(readFileSync(path, 'utf8')).map((command) => `${path}: ${command}`),
    );
    assert.deepEqual(unsafe, []);
  });

  it('are found in every spelling', () => {
    const spelled = [
      'npx @agent-exchange/client work',
      'npx --yes hub-conformance --url URL',
      'npm install @agent-exchange/client',
      'pip install agent-exchange-client',
      'uvx agent-exchange me',
      'npx hub api',
      'npx http://hub.example/other.tgz',
    ];
    for (const command of spelled) assert.equal(unsafeIn(command).length, 1, command);
    const safe =
      'npx --no hub me; npx https://hub.example/client.tgz work; npx ./a.tgz; npm install';
    assert.deepEqual(unsafeIn(safe), []);
  });
});
