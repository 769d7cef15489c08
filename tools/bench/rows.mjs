/**
 * Parses a part's output: a line at the margin is a heading, or a figure if a number follows its
 * colon; an indented line is a figure under the last heading. `values` are the numbers of `said`.
 */
const NUMBER = /(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.-])-?\d+(?:\.\d+)?/g;

export function rowsOf(text) {
  const rows = [];
  let of = '';
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [name, said] = halves(line.trim());
    const isIndented = /^\s/.test(line);
    if (!isIndented) of = said === undefined ? name : '';
    if (said === undefined && !isIndented) continue;
    rows.push({ of, name, said: said ?? '', values: numbersIn(said ?? '') });
  }
  return rows;
}

/** Name and figure: apart by the last colon before a number, or by a column. */
function halves(line) {
  const colon = /^(.*?): (?=\D{0,12}\d)(.*)$/.exec(line) ?? /^(\S.*?) {2,}(\S.*)$/.exec(line);
  return colon === null ? [line] : [colon[1].trim(), colon[2].trim()];
}

function numbersIn(said) {
  return (said.match(NUMBER) ?? []).map((each) => Number(each.replaceAll(',', '')));
}
