import { readFileSync } from 'node:fs';

/** The notebook of the Python client, made of the program beside it, whose cells begin with `# %%`. */
const FOLDER = 'clients/python/examples';
const PROGRAM = `${FOLDER}/first_hour.py`;
export const NOTEBOOK = `${FOLDER}/first_hour.ipynb`;
const MARK = /^# %%(?: (\[markdown\]))?\n/m;

export function notebook(): string {
  const [, ...pieces] = readFileSync(PROGRAM, 'utf8').split(MARK);
  const cells = pieces.flatMap((text, place) => {
    if (place % 2 === 0) return [];
    const isProse = pieces[place - 1] !== undefined;
    const body = (isProse ? text.replace(/^# ?/gm, '') : text).trim();
    const source = body.split(/(?<=\n)/);
    const id = `cell-${(place + 1) / 2}`;
    return isProse
      ? [{ cell_type: 'markdown', id, metadata: {}, source }]
      : [{ cell_type: 'code', execution_count: null, id, metadata: {}, outputs: [], source }];
  });
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' };
  const whole = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  return `${JSON.stringify(whole, null, 1)}\n`;
}
