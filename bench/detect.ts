import { detectSqli, detectXss } from '../src/detect/index.ts'
import { ordinaryValues } from '../src/detect/testing/ordinary-values.ts'
import { machineLine } from './support/machine.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of @detectSQLi and @detectXSS, with proof that their time is linear in the length of a value.

  npm run bench:detect

CPU nanoseconds per byte, of ordinary values and of values of 64 KiB and 1 MiB that repeat one text; the minimum of three
runs. A ratio near 1 is linear.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const sizes = [1 << 16, 1 << 20] as const
const runs = 3
/** Bytes read in one run. */
const runBytes = 1 << 20

const units: readonly string[] = [
  'lorem ipsum ',
  "O'Brien ",
  'or 1 ',
  "' or 'a' ",
  '(',
  'f(',
  ') ',
  '1,',
  '1+',
  '1;',
  '--',
  '-- \n',
  '#',
  '/**/',
  '/* ',
  '"`\'',
  "\\' ",
  '`a',
  '[a',
  "@'",
  '$a$ $b$ ',
  "q'[ ",
  'select ',
  'case when ',
  '<a ',
  '<a b="c" ',
  '<!--',
  '<a href="&#9;',
  '<a b=`',
  'x on=1 ',
]

function nanoseconds(detect: (value: string) => unknown, values: readonly string[]): number {
  const bytes = values.reduce((sum, value) => sum + value.length, 0)
  const times = Math.max(1, Math.round(runBytes / bytes))
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run <= runs; run++) {
    const start = process.cpuUsage()
    for (let time = 0; time < times; time++) for (const value of values) detect(value)
    const { user, system } = process.cpuUsage(start)
    // The first run compiles.
    if (run > 0) least = Math.min(least, ((user + system) * 1000) / (bytes * times))
  }
  return least
}

function row(unit: string): string[] {
  const cells = [JSON.stringify(unit)]
  for (const detect of [detectSqli, detectXss]) {
    const [small, large] = sizes.map(size =>
      nanoseconds(detect, [unit.repeat(Math.ceil(size / unit.length)).slice(0, size)]),
    )
    cells.push(figure(small!), figure(large!), figure(large! / small!))
  }
  return cells
}

console.log(machineLine())
console.log(
  `ordinary  ${figure(nanoseconds(detectSqli, ordinaryValues))} ns a byte for SQL, ${figure(
    nanoseconds(detectXss, ordinaryValues),
  )} for script\n`,
)
console.log(
  formatTable(['', 'SQL 64 KiB', '1 MiB', 'ratio', 'script 64 KiB', '1 MiB', 'ratio'], units.map(row)),
)
