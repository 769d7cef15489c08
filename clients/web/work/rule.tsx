import { Json } from '../parts/shown.tsx';
import { workTexts } from '../texts/work.ts';
import type { Rule } from '../types.ts';

/** An acceptance rule in words; what words cannot say is shown as it is. */
export function RuleOf({ rule }: { readonly rule: Rule }) {
  switch (rule.kind) {
    case 'contains':
      return (
        <>
          {workTexts.rule.contains(rule.mode ?? 'all')}{' '}
          {rule.values.map((value) => (
            <code key={value}>{value} </code>
          ))}
        </>
      );
    case 'fields':
      return (
        <ul>
          {rule.checks.map((check) => (
            <li key={check.path}>
              <code>{check.path}</code>{' '}
              {check.minLength === undefined
                ? workTexts.rule.equals(JSON.stringify(check.equals))
                : workTexts.rule.minLength(check.minLength)}
            </li>
          ))}
        </ul>
      );
    case 'json_schema':
      return (
        <>
          {rule.description ?? workTexts.rule.schema}
          <details>
            <summary>{workTexts.rule.showSchema}</summary>
            <Json value={rule.schema} label={workTexts.rule.schema} />
          </details>
        </>
      );
    case 'files':
      return (
        <>
          {workTexts.rule.files}
          <Json value={rule} label={workTexts.rule.files} />
        </>
      );
    case 'all':
      return (
        <>
          {workTexts.rule.all}
          <ul>
            {rule.of.map((each, place) => (
              <li key={place}>
                <RuleOf rule={each} />
              </li>
            ))}
          </ul>
        </>
      );
  }
}

/** Rules that read members of the result want JSON; the others read its text. */
export function wantsJson(rule: Rule | undefined): boolean {
  if (rule === undefined || rule.kind === 'contains') return false;
  return rule.kind === 'all' ? rule.of.some(wantsJson) : true;
}
