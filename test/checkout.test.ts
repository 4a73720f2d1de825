import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** The commands of a checkout: `npm start`, `npm run sluice` and `npx sluice`. */
const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

test('a checkout is built once for each state of its sources, and its commands run the build', () => {
  for (const command of ['scripts/run.ts', 'bin/sluice.js']) {
    execFileSync(process.execPath, [join(root, command), '--version'])
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, command), '--version'], {
      encoding: 'utf8',
    })
    assert.match(stdout, new RegExp(`^sluice ${version} `))
    assert.equal(stderr, '')
  }
  // A checkout may be moved or copied together with its builds.
  for (const file of globSync('.build/*/bundle/*.js', { cwd: root }))
    assert.ok(!readFileSync(join(root, file), 'utf8').includes(JSON.stringify(root)), file)
})

test('stacks of errors name the sources', () => {
  const print = 'data:text/javascript,console.log=()=>console.error(new Error("printed").stack)'
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', print, join(root, 'scripts/run.ts'), '--version'],
    { encoding: 'utf8' },
  )
  assert.match(stderr, /src\/cli\/main\.ts:\d+:\d+/)
})
