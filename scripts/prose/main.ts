import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { problemsOf } from './check.ts'

/**
 * Checks the wording of docs, comments, strings and names: `npm run check:prose`, or `node scripts/prose/main.ts src/edge`
 * for one folder.
 */

/** Generated types, texts of attacks and of their absence, and the check itself. */
const excluded = ['dashboard/src/api/types.ts', 'src/detect/testing/ordinary-values.ts', 'scripts/prose/']

const named = process.argv.slice(2)
const patterns = ['*.md', '*.ts', '*.tsx', '*.js', '*.cjs', '*.css', '*.grit']
const within = (file: string, folders: readonly string[]) => folders.some(folder => file.startsWith(folder))
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns])
  .toString()
  .split('\n')
  .filter(file => file !== '' && existsSync(file) && !within(file, excluded))
  .filter(file => named.length === 0 || within(file, named))

const problems = files.flatMap(file => problemsOf(file, readFileSync(file, 'utf8')))
for (const problem of problems) console.error(problem)
console.log(`Prose: ${files.length} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
