import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { machineLine } from './support/machine.ts'

const help = `Cost of Logpush, from the request to the object at its destination.

  npm run bench:logpush

Each part runs in a separate process; together they take about five minutes and 700 MB below the directory of temporary
files. The records are the edge's for a browser's request, 1.9 KB. Records per second are by the clock. CPU is the
processor time of all threads for one record, main the main thread's part of it. The best of several short runs counts,
unless a part says otherwise. docs/reference/performance.md explains the figures.
`

const parts = ['capture', 'filter', 'encode', 'gzip', 'spool', 'pipeline', 'jobs', 'memory', 'serve']

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

console.log(machineLine())
for (const part of parts) {
  const script = join(import.meta.dirname, 'logpush', `${part}.ts`)
  const { status } = spawnSync(process.execPath, ['--expose-gc', script], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
