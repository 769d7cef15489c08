const { createHash, generateKeyPairSync, randomBytes, sign } = require('node:crypto');

/** An account that signs as the hub asks (RFC 9421, ed25519). It shares no code with the hub. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RAW_KEY_BYTES = 32;
const NONCE_BYTES = 16;

function newAccount() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_KEY_BYTES);
  const keyId = base58(raw);
  return {
    keyId,
    account: `key:${keyId}`,
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}

/** Headers that sign a request as it will be sent: `target` and `body` are the exact texts. */
function signatureHeaders(signer, { method, host, target, body }) {
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
  const created = Math.floor(Date.now() / 1000);
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

module.exports = { newAccount, signatureHeaders };
