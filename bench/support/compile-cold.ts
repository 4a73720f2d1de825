import { residentMegabytes } from './machine.ts'
import { compileFresh, levels, maskOf, openRelease } from './program.ts'
import { waitedMs } from './waiting.ts'

/**
 * A separate process (with --expose-gc) that compiles the release named on its command line once and sends the cost.
 */
export interface ColdCompile {
  readonly milliseconds: number
  /** Memory of the program after garbage collection: objects and code on the heap, and tables in buffers. */
  readonly heapMegabytes: number
  readonly tableMegabytes: number
  readonly residentBefore: number
  readonly residentAfter: number
}

const release = await openRelease(process.argv[2]!)
const before = memory()
const start = performance.now() - waitedMs()
const program = compileFresh(release)
const milliseconds = performance.now() - waitedMs() - start
for (const level of levels) maskOf(program, level)
const residentAfter = residentMegabytes()
const after = memory()
const result: ColdCompile = {
  milliseconds,
  heapMegabytes: after.heap - before.heap,
  tableMegabytes: after.tables - before.tables,
  residentBefore: before.resident,
  residentAfter,
}
process.send!(result)
// Kept alive up to here, so that it is counted.
program.rules.at(0)

function memory(): { heap: number; tables: number; resident: number } {
  const resident = residentMegabytes()
  gc!()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed / 1e6, tables: arrayBuffers / 1e6, resident }
}
