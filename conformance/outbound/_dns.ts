import { createSocket } from 'node:dgram';
import { systemResolver, type Resolver } from '../../workflows/kernel/outbound/resolver.ts';

/** A name server of a few lines (RFC 1035 4), so that names are resolved without a network. */
export type Zone = Readonly<Record<string, ZoneRecords>>;
interface ZoneRecords {
  readonly a?: readonly string[];
  /** All eight groups written. */
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  /** Each record as its strings. */
  readonly txt?: readonly (readonly string[])[];
}

const TYPE_A = 1;
const TYPE_CNAME = 5;
const TYPE_TXT = 16;
const TYPE_AAAA = 28;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/** Serves a zone during the suite that asks for it; answers the names as the hub asks for them. */
export function served(zone: Zone): () => Resolver {
  const server = createSocket('udp4');
  server.on('message', (question, from) => {
    server.send(answerQuestion(question, zone), from.port, from.address);
  });
  before('listen', (done) => void server.bind(0, '127.0.0.1', done));
  after('close', (done) => void server.close(done));
  return () => systemResolver([`127.0.0.1:${server.address().port}`]);
}

/** The answer to one question; a name outside the zone does not exist. */
function answerQuestion(question: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const type = question.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  const found = zone[name];
  const records = found === undefined ? [] : recordsOf(name, found, type, zone);
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (found === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question.subarray(HEADER_BYTES, at + 5), ...records]);
}

function recordsOf(name: string, own: ZoneRecords, type: number, zone: Zone): readonly Buffer[] {
  if (own.cname !== undefined) {
    const alias = record(name, TYPE_CNAME, wireName(own.cname));
    return [alias, ...recordsOf(own.cname, zone[own.cname] ?? {}, type, zone)];
  }
  if (type === TYPE_A) {
    return (own.a ?? []).map((text) =>
      record(name, type, Buffer.from(text.split('.').map(Number))),
    );
  }
  if (type === TYPE_TXT)
    return (own.txt ?? []).map((strings) => record(name, type, texts(strings)));
  if (type !== TYPE_AAAA) return [];
  return (own.aaaa ?? []).map((text) => {
    const groups = text.split(':').map((group) => group.padStart(4, '0'));
    return record(name, type, Buffer.from(groups.join(''), 'hex'));
  });
}

function texts(strings: readonly string[]): Buffer {
  const data = strings.map((text) => Buffer.from(text));
  return Buffer.concat(data.flatMap((text) => [Buffer.from([text.length]), text]));
}

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(CLASS_IN, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([wireName(name), head, data]);
}

function wireName(name: string): Buffer {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}
