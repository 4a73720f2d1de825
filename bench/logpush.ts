import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { machineLine } from './support/machine.ts'

const help = `What log push costs, from the request to the object at its destination.

  npm run bench:logpush

Each part runs in a process of its own; all of them take about three minutes and 700 MB below the directory of temporary
files. Records are those that the edge writes of a browser's request, 1.9 KB. Records a second are by the clock, CPU is
processor time of all threads for one record and main what the main thread has of it. The best of several short runs counts, unless a part says otherwise.
docs/logpush-speed.md says what the figures mean.
`

const parts = ['capture', 'filter', 'encode', 'gzip', 'spool', 'pipeline', 'jobs', 'memory']

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
