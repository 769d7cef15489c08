import type { Settings } from '../../workflows/kernel/settings.ts';
import { readSettings } from '../boot/config.ts';
import { startRefusal } from '../boot/startRefusal.ts';
import type { Command, Environment } from './command.ts';
import { chainFindings } from './doctor/chain.ts';
import { databaseFindings } from './doctor/database.ts';
import { diskFindings } from './doctor/disk.ts';
import { fail, ok, warn, type Finding } from './doctor/finding.ts';
import { proxyFindings } from './doctor/proxy.ts';
import { searchFindings } from './doctor/search.ts';

/**
 * `hubctl doctor` changes nothing. Exit code 1 means that the hub cannot work like this. `--search`
 * compares the index of search with its documents as well, which reads all of both.
 */
export const doctor: Command = async (words, env, print) => {
  const withSearch = words.length === 1 && words[0] === '--search';
  if (words.length > 0 && !withSearch) return undefined;
  const findings = await diagnose(env, withSearch ? [...CHECKS, searchFindings] : CHECKS);
  const width = Math.max(...findings.map(({ area }) => area.length));
  for (const { state, area, text, remedy } of findings) {
    print(`${state.padEnd(4)}  ${area.padEnd(width)}  ${text}\n`);
    if (remedy !== undefined) print(`${' '.repeat(width + 8)}${remedy}\n`);
  }
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length;
  print(`${count('fail')} failed, ${count('warn')} warnings\n`);
  return count('fail') === 0 ? 0 : 1;
};

type Check = (settings: Settings) => Promise<readonly Finding[]>;

const CHECKS: readonly Check[] = [databaseFindings, diskFindings, chainFindings, proxyFindings];

export async function diagnose(
  env: Environment,
  checks: readonly Check[] = CHECKS,
): Promise<readonly Finding[]> {
  let settings: Settings;
  try {
    settings = readSettings(env);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [fail('settings', text, 'Correct the setting; docs/settings.md lists all of them.')];
  }
  const findings = [ok('settings', `network ${settings.network}, ${settings.baseUrl}`), ...node()];
  for (const check of checks) {
    try {
      findings.push(...(await check(settings)));
    } catch (error) {
      const text = startRefusal(error, settings) ?? String(error);
      findings.push(fail(check.name.replace('Findings', ''), text));
    }
  }
  return findings;
}

const NODE_RECOMMENDED = 24;

function node(): readonly Finding[] {
  const major = Number(process.versions.node.split('.')[0]);
  const text = `Node ${process.versions.node}`;
  return [
    major >= NODE_RECOMMENDED
      ? ok('node', text)
      : warn('node', text, `Use Node ${NODE_RECOMMENDED}, which still gets security fixes.`),
  ];
}
