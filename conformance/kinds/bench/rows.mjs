/**
 * Parses a part's output: a line at the margin is a heading, or a figure if a number follows its
 * colon; an indented line is a figure under the last heading. `values` are the numbers of `figures`.
 */
const NUMBER = /(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.-])-?\d+(?:\.\d+)?/g;

export function rowsOf(text) {
  const rows = [];
  let of = '';
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [name, figures] = halves(line.trim());
    const isIndented = /^\s/.test(line);
    if (!isIndented) of = figures === undefined ? name : '';
    if (figures === undefined && !isIndented) continue;
    rows.push({ of, name, figures: figures ?? '', values: numbersIn(figures ?? '') });
  }
  return rows;
}

/** Name and figure: apart by the last colon before a number, or by a column. */
function halves(line) {
  const colon = /^(.*?): (?=\D{0,12}\d)(.*)$/.exec(line) ?? /^(\S.*?) {2,}(\S.*)$/.exec(line);
  return colon === null ? [line] : [colon[1].trim(), colon[2].trim()];
}

function numbersIn(figures) {
  return (figures.match(NUMBER) ?? []).map((each) => Number(each.replaceAll(',', '')));
}
