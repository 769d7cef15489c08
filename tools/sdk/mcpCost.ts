/**
 * `npm run mcp:cost`: what the tools of each toolset cost a model that reads them, in tokens of
 * o200k_base, with the number of tools.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { openCatalogue, TOOLSETS } from '../../server/doors/mcp/catalogue.ts';

const catalogue = openCatalogue();
const rows = [undefined, ...TOOLSETS].map((toolset) => {
  const text = catalogue.tools(toolset === undefined ? undefined : [toolset]);
  const tools = (JSON.parse(text) as readonly unknown[]).length;
  return { toolset: toolset ?? '(none)', tools, tokens: encode(text).length };
});
console.table(rows);
