import { serve } from '../threads/serve.ts';
import type { Counted, CountTask } from './counter.ts';

/**
 * Counts tokens beside the event loop: a table takes a third of a second to load and a prompt of a
 * megabyte as long to count. A table is loaded when it is first asked for.
 */
type CountTokens = (text: string, options: { readonly allowedSpecial: 'all' }) => number;

const tables = new Map<string, Promise<CountTokens>>();

serve(count);

async function count({ encoding, texts }: CountTask): Promise<Counted> {
  const known = tables.get(encoding) ?? load(encoding);
  tables.set(encoding, known);
  const countTokens = await known;
  return texts.map((text) => {
    let tokens = 0;
    // A text like a mark of the template is plain text here, and one token.
    for (const piece of pieces(text)) tokens += countTokens(piece, { allowedSpecial: 'all' });
    return tokens;
  });
}

async function load(encoding: CountTask['encoding']): Promise<CountTokens> {
  const table =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  return table.countTokens;
}

/**
 * Merging is quadratic in the length of a run without a break, so longer runs are cut; the count
 * is then higher by a token for each cut at most.
 */
const RUN_MAX = 256;
const LONG_RUN = new RegExp(`\\S{${RUN_MAX}}|\\s{${RUN_MAX}}`, 'gu');

function* pieces(text: string): Generator<string> {
  let from = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    if (index > from) yield text.slice(from, index);
    yield run;
    from = index + run.length;
  }
  if (from < text.length) yield text.slice(from);
}
