import { dnsLimits } from '../limits.ts'
import { ZoneFileError } from './lines.ts'

/** The numbers of `start-stop[/step]`. @throws ZoneFileError */
export function numbersOf(range: string, line: number): readonly number[] {
  const found = /^(\d{1,9})-(\d{1,9})(?:\/([1-9]\d{0,8}))?$/.exec(range)
  if (found === null) throw new ZoneFileError(line, `$GENERATE has no range in '${range.slice(0, 50)}'`)
  const [start, stop, step] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 1)]
  const { generatedRecordsMax } = dnsLimits
  const count = Math.floor((stop - start) / step) + 1
  if (count > generatedRecordsMax)
    throw new ZoneFileError(line, `$GENERATE makes more than ${generatedRecordsMax} records`)
  return Array.from({ length: Math.max(0, count) }, (_, at) => start + at * step)
}

/** A template with `$` and `${offset,width,base}` filled in. @source BIND manual, $GENERATE */
export function filled(template: string, number: number): string {
  return template.replace(
    /\$(?:\{(-?\d{1,9})(?:,(\d{1,2})(?:,([doxX]))?)?\})?/g,
    (_, offset: string | undefined, width: string | undefined, base: string | undefined) => {
      const value = number + Number(offset ?? 0)
      const radix = base === 'o' ? 8 : base === 'x' || base === 'X' ? 16 : 10
      const text = value.toString(radix).padStart(Number(width ?? 0), '0')
      return base === 'X' ? text.toUpperCase() : text
    },
  )
}
