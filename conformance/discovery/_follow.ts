import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Follows a page as a reader does: saves each file under the name that the page gives, runs the
 * commands in their order, and compares the output with the `text` block below. The words before a
 * block decide: "Save this as `NAME`", "In an empty folder", "in this folder", "in another terminal",
 * "in place of the first", which ends what runs in other terminals.
 */
interface Step {
  readonly language: string;
  readonly text: string;
  /** The prose between the block before and this one. */
  readonly words: string;
  readonly prints: string | undefined;
  /** The last heading before it. */
  readonly section: string;
  readonly isOfSentence: boolean;
}

/** Words of a page and what its reader writes for them, after what the commands have printed. */
export type Filled = readonly [RegExp, (output: string) => string | Promise<string>];

export interface Reader {
  /** An empty folder below which everything of this reader lies. */
  readonly folder: string;
  /** The folder that "this folder" of a page means. */
  readonly clone: string;
  readonly env: Readonly<Record<string, string>>;
  /** Texts of a page that this reader replaces, such as the address of the hub. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Words such as ID, for which a reader writes what the commands before have printed. */
  readonly filled?: readonly Filled[];
  /** Also runs the commands within sentences, each once a page. */
  readonly runsSentences?: boolean;
  /** The longest time of a command. */
  readonly commandMs?: number;
}

interface Followed {
  /** First lines of the blocks that were saved or run. */
  readonly done: readonly string[];
  readonly end: () => void;
}

const COMMAND_MS_MAX = 200_000;
const SHELL = ['sh', 'text'];

const BLOCKS = /^```(\w*)\n([^]*?)^```/gm;
/** Two words or more, of which the first is like the name of a program, within a sentence. */
const OR_SENTENCES = /^```(\w*)\n([^]*?)^```|`([a-z][a-z-]* [^`\n]+)`/gm;

export function stepsOf(page: string, alsoSentences = false): readonly Step[] {
  const text = readFileSync(page, 'utf8');
  const found = [...text.matchAll(alsoSentences ? OR_SENTENCES : BLOCKS)];
  let end = 0;
  let section = '';
  const all = found.map((each) => {
    const words = text.slice(end, each.index);
    end = each.index + each[0].length;
    section = [...words.matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? section;
    const [, language = 'sh', block, sentence = ''] = each;
    const isOfSentence = block === undefined;
    return { language, text: block ?? sentence, words, section, isOfSentence };
  });
  return all.flatMap((step, place) => {
    const next = all[place + 1];
    if (step.language === 'text') return [];
    return [{ ...step, prints: next?.language === 'text' ? next.text : undefined }];
  });
}

/** The name under which the page has its reader save a file. */
function nameOf({ words }: Step): string | undefined {
  return /save this as `([\w.-]+)`/i.exec(words)?.[1];
}

/** The file that a page has its reader save under a name. */
export function savedAs(page: string, name: string): string {
  const [step, ...more] = stepsOf(page).filter((each) => nameOf(each) === name);
  assert.ok(step !== undefined && more.length === 0, `${page} has not one ${name}`);
  return step.text;
}

/** `isLeftOut` names the blocks that this machine cannot run. Fails where a page misleads. */
export async function follow(
  pages: readonly string[],
  reader: Reader,
  isLeftOut: (step: Step) => boolean,
): Promise<Followed> {
  const started: ChildProcess[] = [];
  const done: string[] = [];
  let output = '';
  let folder = reader.clone;
  const end = (): void => started.forEach((child) => void killGroup(child));
  try {
    for (const page of pages) {
      const seen = new Set<string>();
      for (const step of stepsOf(page, reader.runsSentences)) {
        if (isLeftOut(step) || (step.isOfSentence && seen.has(step.text))) continue;
        seen.add(step.text);
        if (/in this folder/i.test(step.words)) folder = reader.clone;
        if (/in an empty folder/i.test(step.words)) {
          folder = mkdtempSync(join(reader.folder, 'empty-'));
        }
        await take(step, page, folder);
        done.push(firstLineOf(step));
      }
    }
  } catch (error) {
    end();
    throw error;
  }
  return { done, end };

  async function take(step: Step, page: string, cwd: string): Promise<void> {
    const text = await asTyped(step.text);
    const where = `${page}: ${firstLineOf(step)}`;
    if (!SHELL.includes(step.language)) {
      const name = nameOf(step);
      assert.ok(name !== undefined, `${where} has no name that it is saved under`);
      writeFileSync(join(cwd, name), text);
      return;
    }
    mkdirSync(cwd, { recursive: true });
    const isBeside = /in another terminal/i.test(step.words);
    if (/in place of the first/i.test(step.words))
      started.forEach((child) => void killGroup(child));
    const child = spawn('bash', ['-ec', text], { cwd, env: reader.env, detached: true });
    started.push(child);
    const lines = isBeside ? (step.prints ?? '') : null;
    const { code, stdout, stderr } = await outputOf(child, lines, reader.commandMs);
    assert.equal(code, 0, `${where}\n${stdout}\n${stderr}`);
    output += stdout;
    if (step.prints !== undefined) assert.match(stdout, patternOf(step.prints), where + stderr);
  }

  async function asTyped(shown: string): Promise<string> {
    let text = shown;
    for (const [theirs, mine] of Object.entries(reader.replaced)) {
      text = text.replaceAll(theirs, mine);
    }
    for (const [word, filling] of reader.filled ?? []) {
      if (word.test(text)) text = text.replace(word, await filling(output));
    }
    return text;
  }
}

function firstLineOf({ text }: Step): string {
  return text.split('\n', 1)[0] ?? '';
}

/** `…` stands for any text. */
function patternOf(prints: string): RegExp {
  const pieces = prints.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[^]*?')}$`);
}

/** Until the command ends, or until it has printed as many lines as `lines` when it goes on. */
function outputOf(
  child: ChildProcess,
  lines: string | null,
  commandMs = COMMAND_MS_MAX,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const timer = setTimeout(() => killGroup(child), commandMs);
  return new Promise((ended) => {
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      ended({ code, stdout, stderr });
    };
    child.stdout?.on('data', (data: Buffer) => {
      stdout += String(data);
      if (lines !== null && lines !== '' && patternOf(lines).test(stdout)) finish(0);
    });
    child.stderr?.on('data', (data: Buffer) => (stderr += String(data)));
    child.once('close', finish);
    if (lines === '') finish(0);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
