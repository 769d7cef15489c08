import { useState } from 'preact/hooks';
import { Copyable, CopyButton } from '../parts/copy.tsx';
import { Fold } from '../parts/fold.tsx';
import { pathTo } from '../routes.ts';
import { tryTexts as Y } from '../texts/tryPage.ts';
import { codeOf, linkTo, type CodeLanguage, type FilledCall } from './code.ts';

const LANGUAGES: readonly CodeLanguage[] = ['curl', 'typescript', 'python', 'mcp'];

/** The call of the form in each language, and an address that opens the form with its values. */
export function InCode({ call }: { readonly call: FilledCall }) {
  const [chosen, choose] = useState<CodeLanguage>('curl');
  const code = codeOf(call);
  const link = `${location.origin}${pathTo('try', linkTo(call))}`;
  return (
    <Fold title={Y.inCode} lead={Y.codeLead[chosen]}>
      <p role="group" aria-label={Y.language}>
        {LANGUAGES.filter((each) => code[each] !== undefined).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={Y.language}
              checked={each === chosen}
              onChange={() => choose(each)}
            />{' '}
            {Y.languages[each]}{' '}
          </label>
        ))}
      </p>
      <Copyable text={code[chosen] ?? code.curl ?? ''} label={Y.inCode} />
      <p>
        <a href={link}>{Y.link}</a> <CopyButton text={link} label={Y.copyLink} />
      </p>
    </Fold>
  );
}
