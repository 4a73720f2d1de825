import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { layoutProblems } from './check.ts'

/** Checks the sizes of folders and the names of files: `npm run check:layout`. */

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter(file => existsSync(file))
const problems = layoutProblems(files)
for (const problem of problems) console.error(problem)
console.log(`Layout: ${files.length} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
