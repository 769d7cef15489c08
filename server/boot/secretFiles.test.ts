import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './config.ts';
import { SECRETS } from './secretFiles.ts';

describe('settings in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-secrets-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  };

  it('are read without the line end', () => {
    const url = 'postgres://hub:secret@127.0.0.1/hub';
    const settings = readSettings({ HUB_DATABASE_URL_FILE: file(`${url}\n`) });
    assert.equal(settings.databaseUrl, url);
    const token = 'a token that is long enough';
    assert.equal(readSettings({ HUB_ADMIN_TOKEN_FILE: file(token) }).adminToken, token);
  });

  it('are refused beside the setting itself, and when the file is missing', () => {
    for (const name of SECRETS) {
      const both = { [name]: 'x', [`${name}_FILE`]: file('y') };
      assert.throws(() => readSettings(both), new RegExp(`set ${name} or ${name}_FILE, not both`));
      const missing = { [`${name}_FILE`]: join(folder, 'none') };
      assert.throws(() => readSettings(missing), new RegExp(`${name}_FILE cannot be read`));
    }
  });
});
