import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** The code that a test file executed. Node strips types in place, so V8's offsets are offsets in the source. */
export class Coverage {
  /** By path, the ranges of each process that loaded the file. An inner range overrides the outer one. */
  readonly #ranges = new Map<string, Range[][]>()

  /** @param folder V8 wrote one file for each process here (`NODE_V8_COVERAGE`) */
  constructor(folder: string) {
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string; functions: { ranges: Range[] }[] }[]
      }
      for (const { url, functions } of result) {
        if (!url.startsWith('file:') || url.includes('/node_modules/')) continue
        const path = fileURLToPath(url)
        const ranges = functions.flatMap(part => part.ranges)
        this.#ranges.set(path, [...(this.#ranges.get(path) ?? []), ranges])
      }
    }
  }

  reaches(path: string, offset: number): boolean {
    return this.#ranges.get(path)?.some(ranges => countAt(ranges, offset) > 0) === true
  }
}

function countAt(ranges: readonly Range[], offset: number): number {
  let count = 0
  let length = Number.POSITIVE_INFINITY
  for (const { startOffset, endOffset, count: times } of ranges) {
    if (offset < startOffset || offset >= endOffset || endOffset - startOffset > length) continue
    length = endOffset - startOffset
    count = times
  }
  return count
}
