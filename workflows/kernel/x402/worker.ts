import { serve } from '../threads/serve.ts';
import { signerOf } from './authorization.ts';
import type { SignatureTask } from './signatures.ts';

serve(({ domain, authorization, signature }: SignatureTask) =>
  signerOf(domain, authorization, signature),
);
