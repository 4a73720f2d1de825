import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readRelease } from '../src/crs/directory.ts'
import { compileRelease } from '../src/crs/index.ts'
import { formatDiagnostic } from '../src/kit/diagnostic.ts'
import type { Program, RuleMask } from '../src/waf/index.ts'
import { machineLine, residentMegabytes } from './support/machine.ts'
import { measure } from './support/measure.ts'
import { Random } from './support/random.ts'
import { requestShapes, type SampleRequest, sizeOf } from './support/request-shapes.ts'
import { figure, formatTable } from './support/table.ts'

/**
 * `npm run bench:waf -- [CRS]`: what the engine costs a request, by its shape, with the rules of paranoia level 1 and of
 * all four. The phases of the request and of logging are timed; reading HTTP and making strings is not.
 */
const budget = { warmUpMs: 500, measuredMs: 1500 }

const path =
  process.argv[2] ?? process.env['SLUICE_CRS'] ?? join(import.meta.dirname, '../../shared/crs/4.28.0')
if (!existsSync(path)) {
  console.error(
    `${path} is not there: name the directory or archive of an OWASP CRS release, as in\n  npm run bench:waf -- DIR   or   SLUICE_CRS=DIR npm run bench:waf`,
  )
  process.exit(2)
}
const { crsVersion, files } = await readRelease(path)
const residentBefore = residentMegabytes()
const compileStart = performance.now()
const outcome = compileRelease(files, undefined)
const compileMs = performance.now() - compileStart
if (!outcome.ok) {
  console.error(outcome.diagnostics.map(formatDiagnostic).join('\n'))
  process.exit(1)
}
const program = outcome.value
const residentAfter = residentMegabytes()

console.log(machineLine())
console.log(
  `rules     OWASP CRS ${crsVersion}, ${program.rules.length} rules, compiled in ${compileMs.toFixed(0)} ms`,
)
const masks = [1, 4].map(level => program.mask(rule => rule.paranoiaLevel > level))
const rows = requestShapes.map(({ name, make }) => {
  const random = new Random()
  const sample = make(random)
  const cells = [name, String(sizeOf(sample))]
  for (const mask of masks) {
    const { p50, p99 } = measure(
      () => make(random),
      input => inspect(program, mask, input),
      budget,
    )
    cells.push(figure(p50), figure(p99), String(inspect(program, mask, sample)))
  }
  return cells
})
console.log(
  `memory    ${residentBefore.toFixed(0)} MB before, ${residentAfter.toFixed(0)} MB after compiling, ${residentMegabytes().toFixed(0)} MB at the end\n`,
)
console.log(
  formatTable(['µs per request', 'bytes', 'PL1 p50', 'p99', 'score', 'PL4 p50', 'p99', 'score'], rows),
)

/** @returns the score */
function inspect(of: Program, mask: RuleMask, { request, body }: SampleRequest): number {
  const transaction = of.begin(request, mask)
  transaction.requestHeaders()
  transaction.requestBody(body, true)
  transaction.logging()
  return transaction.requestScore
}
