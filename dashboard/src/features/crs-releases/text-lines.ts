export interface TextLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Longer texts are shown one after the other. CRS rules have about 60 lines. */
const linesMax = 400

/** Lines of both texts, in order: common lines once, all others as removed or added. */
export function compareLines(from: string, to: string): readonly TextLine[] {
  const [a, b] = [from.split('\n'), to.split('\n')]
  if (a.length > linesMax || b.length > linesMax)
    return [...a.map(text => lineOf('removed', text)), ...b.map(text => lineOf('added', text))]
  const common = commonLengths(a, b)
  const lines: TextLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(lineOf('same', a[i++]!))
      j++
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      lines.push(lineOf('removed', a[i++]!))
    else lines.push(lineOf('added', b[j++]!))
  }
  return lines
}

/** At [i][j]: the number of common lines, in order, of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  return lengths
}

function lineOf(kind: TextLine['kind'], text: string): TextLine {
  return { kind, text }
}
