/** Texts of Python for calls of its client, named as its `codegen.py` names them. */
const COLUMNS = 76;

/** The method of an operation. */
export function methodOf(id: string): string {
  const [area = '', verb = ''] = id.split('.');
  return `hub.${snake(area)}.${snake(verb)}`;
}

/** The model of its body. */
export function modelOf(id: string): string {
  return `${id.split('.').map(title).join('')}Body`;
}

/** On one line where it fits; a single argument that does not stays with its bracket. */
export function called(name: string, words: readonly string[]): string {
  const line = `${name}(${words.join(', ')})`;
  const isShort = line.length <= COLUMNS - 10 && !line.includes('\n');
  return isShort || (words.length === 1 && line.includes('\n'))
    ? line
    : `${name}${block('()', words)}`;
}

export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const [brackets, items] = Array.isArray(value)
    ? ['[]', value.map(literal)]
    : ['{}', Object.entries(value).map(([name, each]) => `${text(name)}: ${literal(each)}`)];
  const line = `${brackets[0] ?? ''}${items.join(', ')}${brackets[1] ?? ''}`;
  return line.length <= COLUMNS - 20 && !line.includes('\n') ? line : block(brackets, items);
}

function block(brackets: string, items: readonly string[]): string {
  const lines = items.map((item) => `    ${item.replaceAll('\n', '\n    ')},\n`);
  return `${brackets[0] ?? ''}\n${lines.join('')}${brackets[1] ?? ''}`;
}

function text(value: string): string {
  const written = JSON.stringify(value);
  const isQuoted = value.includes('"') && !/['\\\n]/.test(value);
  return isQuoted ? `'${value}'` : written;
}

const title = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export function snake(word: string): string {
  const name = word.replace(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase();
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** Words of Python that name something in the contract, or might. */
export const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally ' +
    'for from global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
