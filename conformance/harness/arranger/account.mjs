import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';

/** An account that signs as the hub asks (RFC 9421, ed25519). It shares no code with the hub. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RAW_KEY_BYTES = 32;
const NONCE_BYTES = 16;
/** An ed25519 key in PKCS 8 begins with these bytes; 32 of its own follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key of 32 bytes. */
export function privateKeyOf(seed) {
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** An account of a seed of 32 bytes, or a new one. */
export function newAccount(seed = randomBytes(RAW_KEY_BYTES)) {
  const privateKey = privateKeyOf(seed);
  const raw = rawKeyOf(privateKey);
  const keyId = base58(raw);
  return {
    keyId,
    account: `key:${keyId}`,
    secretKey: new Uint8Array(seed),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}

/** The public key of 32 bytes. */
export function rawKeyOf(privateKey) {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return spki.subarray(-RAW_KEY_BYTES);
}

/** Headers that sign a request as it will be sent: `target` and `body` are the exact texts. */
export function signatureHeaders(signer, { method, host, target, body }, nowMs = Date.now()) {
  const [path, query] = target.split('?');
  const covered = [
    ['@method', method],
    ['@authority', host],
    ['@path', path],
    ...(query === undefined ? [] : [['@query', `?${query}`]]),
  ];
  const headers = {};
  if (body !== '') {
    const digest = createHash('sha256').update(body).digest('base64');
    headers['Content-Digest'] = `sha-256=:${digest}:`;
    covered.push(['content-digest', headers['Content-Digest']]);
  }
  const names = covered.map(([name]) => `"${name}"`).join(' ');
  const created = Math.floor(nowMs / 1000);
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  const key = `keyid="${signer.keyId}";alg="ed25519"`;
  const params = `(${names});created=${created};${key};nonce="${nonce}"`;
  const lines = covered.map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${params}`].join('\n');
  headers['Signature-Input'] = `sig1=${params}`;
  headers['Signature'] = `sig1=:${signer.sign(base).toString('base64')}:`;
  return headers;
}

function base58(bytes) {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (number > 0n) {
    digits = ALPHABET[Number(number % 58n)] + digits;
    number /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros) + digits;
}
