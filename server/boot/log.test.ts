import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Redaction } from '../../domain/outbound/redaction.ts';
import { loggedLine } from './log.ts';

const KEY = 'sk-0123456789abcdef';

describe('a line of the log', () => {
  it('is one line for every reader, and has no secret of the settings', () => {
    const written: string[] = [];
    const redaction = new Redaction([KEY]);
    const hooks = { streamWrite: (line: string) => loggedLine(line, redaction) };
    const log = pino({ hooks }, { write: (line: string) => void written.push(line) });
    const text = 'a\u0085b\u2028c\u2029d\v\f\r\n';
    log.error({ err: new Error(`${text} ${KEY}`), text }, `failed at https://node.example/${KEY}`);
    const [line = ''] = written;
    assert.ok(line.endsWith('}\n'));
    assert.ok(!/[\n\v\f\r\u0085\u2028\u2029]/.test(line.slice(0, -1)), line);
    assert.ok(!line.includes(KEY.slice(0, 8)), line);
    assert.equal((JSON.parse(line) as { text: string }).text, text);
  });
});
