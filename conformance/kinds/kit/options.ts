import { parseArgs } from 'node:util';
import { areaOf, BLACK_BOX } from './files.ts';

/** The words of the command line. */
export interface Options {
  readonly url: string;
  readonly keyFile: string | undefined;
  /** Empty: all. */
  readonly areas: readonly string[];
  readonly seed: number;
  readonly runs: number;
  readonly reports: readonly Report[];
  readonly isReal: boolean;
}

type Format = 'junit' | 'json' | 'html';
interface Report {
  readonly format: Format;
  readonly path: string;
}

/** A word that is wrong; said to the caller with exit code 2. */
export class WrongWord extends Error {
  override readonly name = 'WrongWord';
}

const FORMATS: Readonly<Record<string, Format>> = { xml: 'junit', json: 'json', html: 'html' };
const SEED_MAX = 1_000_000_000;
const RUNS_USUAL = 4;

const AREAS: readonly string[] = [...new Set(BLACK_BOX.map(areaOf))].sort();

export const HELP = `hub-conformance --url URL [options]

Asks a running hub everything in the conformance suite that needs its address alone, holds every
answer against the contract, and says what it could not ask and why.

  --url URL        the hub, as its callers write it, such as https://hub.example.org
  --key FILE       a key file (hub init) whose account gives test money where there is no faucet
  --area AREA      this area alone; several by repeating it or with commas
  --seed N         repeats the random requests of a run
  --runs N         random requests of each operation (${RUNS_USUAL})
  --report FILE    writes .xml (JUnit), .json or .html; several by repeating it
  --real           asks a hub of real money as well; a run leaves tasks, notes and tables behind
  --help, --version

Areas: ${AREAS.join(', ')}
Exit codes: 0 all that was asked held, 1 something did not, 2 it could not run.
`;

/** Reads the words after the program's name; throws `WrongWord`. */
export function readOptions(words: readonly string[]): Options | 'help' | 'version' {
  const { values } = parsed(words);
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  const areas = (values.area ?? []).flatMap((each) => each.split(','));
  const unknown = areas.find((area) => !AREAS.includes(area));
  if (unknown !== undefined) {
    throw new WrongWord(`There is no area ${unknown}. Areas: ${AREAS.join(', ')}.`);
  }
  return {
    url: addressOf(values.url),
    keyFile: values.key,
    areas,
    seed: numberOf('--seed', values.seed) ?? Date.now() % SEED_MAX,
    runs: numberOf('--runs', values.runs) ?? RUNS_USUAL,
    reports: (values.report ?? []).map(reportOf),
    isReal: values.real === true,
  };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        area: { type: 'string', multiple: true },
        seed: { type: 'string' },
        runs: { type: 'string' },
        report: { type: 'string', multiple: true },
        real: { type: 'boolean' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new WrongWord(error instanceof Error ? error.message : String(error));
  }
}

function addressOf(text: string | undefined): string {
  if (text === undefined) throw new WrongWord('--url is missing: the address of the hub to ask.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/') {
    throw new WrongWord(`--url takes an origin such as https://hub.example.org, not ${text}.`);
  }
  return url.origin;
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new WrongWord(`${name} takes a whole number, not ${text}.`);
  return Number(text);
}

function reportOf(path: string): Report {
  const format = FORMATS[/\.(\w+)$/.exec(path)?.[1] ?? ''];
  if (format === undefined) {
    throw new WrongWord(`--report takes a name that ends in .xml, .json or .html, not ${path}.`);
  }
  return { format, path };
}
