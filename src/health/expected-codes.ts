/** A status or a range of them; both ends count. */
type Range = readonly [from: number, to: number]

/** @param text as in `Monitor.expectedCodes` */
export function isExpectedCodes(text: string): boolean {
  return rangesOf(text) !== undefined
}

/** @param text as in `Monitor.expectedCodes` */
export function isExpectedCode(text: string, status: number): boolean {
  return rangesOf(text)?.some(([from, to]) => from <= status && status <= to) === true
}

function rangesOf(text: string): readonly Range[] | undefined {
  if (text.trim() === '') return [[200, 200]]
  const ranges = text.split(',').map(part => rangeOf(part.trim()))
  return ranges.every(range => range !== undefined) ? ranges : undefined
}

function rangeOf(part: string): Range | undefined {
  const hundred = /^([1-5])xx$/i.exec(part)
  if (hundred !== null) return [Number(hundred[1]) * 100, Number(hundred[1]) * 100 + 99]
  const codes = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(part)
  if (codes === null) return undefined
  const from = Number(codes[1])
  const to = Number(codes[2] ?? from)
  return from <= to ? [from, to] : undefined
}
