import { useState } from 'preact/hooks';
import { T } from '../texts.ts';
import { DAY } from './plotScale.ts';

const RANGES = ['24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];
const LENGTHS: Readonly<Record<Range, number>> = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY };

export const lengthOf = (range: Range): number => LENGTHS[range];

export function useRange(first: Range): readonly [Range, (range: Range) => void] {
  return useState<Range>(first);
}

interface RangeChoiceProps {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
}

export function RangeChoice({ value, onChange }: RangeChoiceProps) {
  return (
    <div class="ranges" role="group" aria-label={T.plot.range}>
      {RANGES.map((range) => (
        <button
          key={range}
          type="button"
          class="small"
          aria-pressed={range === value}
          onClick={() => onChange(range)}
        >
          {T.plot.ranges[range]}
        </button>
      ))}
    </div>
  );
}
