import { Json, ScrolledTable, Stranger } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { toolFormTexts as F } from '../texts/toolForm.ts';
import { piecesOf, type Piece } from './pieces.ts';
import { Tree } from './tree.tsx';

/** The answer as text, pictures, tables and trees, and below it the whole as JSON. */
export function ShownAnswer({
  result,
  label,
}: {
  readonly result: unknown;
  readonly label: string;
}) {
  const pieces = piecesOf(result);
  return (
    <div role="group" aria-label={label}>
      {pieces.length === 0 && <Empty>{F.empty}</Empty>}
      {pieces.map((piece, place) => (
        <OnePiece key={place} piece={piece} />
      ))}
      <details>
        <summary>{F.whole}</summary>
        <Json value={result} label={F.whole} />
      </details>
    </div>
  );
}

function OnePiece({ piece }: { readonly piece: Piece }) {
  switch (piece.kind) {
    case 'text':
      return <Stranger text={piece.text} />;
    case 'picture':
      return piece.source === undefined ? (
        <Empty>{F.picturesLeft}</Empty>
      ) : (
        <img class="returned" src={piece.source} alt={F.picture} />
      );
    case 'table':
      return <Rows {...piece} />;
    case 'data':
      return <Tree value={piece.value} />;
  }
}

function Rows({ columns, rows, all }: Extract<Piece, { readonly kind: 'table' }>) {
  return (
    <>
      <ScrolledTable label={F.items(all)}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, at) => (
                <td key={columns[at]}>
                  <bdi>{cell}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      {rows.length < all && <p class="quiet">{F.rows(rows.length, all)}</p>}
    </>
  );
}
