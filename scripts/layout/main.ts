import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { layoutProblems } from './check.ts'
import { strayLimits } from './limit-names.ts'
import { readmeProblems } from './module-readmes.ts'

/** Checks sizes of folders, names of files, declarations of limits, and READMEs of modules: `npm run check:layout`. */

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter(file => existsSync(file))
const read = (file: string) => readFileSync(file, 'utf8')
const problems = [...layoutProblems(files), ...strayLimits(files, read), ...readmeProblems(files, read)]
for (const problem of problems) console.error(problem)
console.log(`Layout: ${files.length} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
