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

test('stacks of errors name the build, and its sources with --enable-source-maps', () => {
  assert.match(stackOf({}), /\.build\/\w+\/bundle\/cli-main\.js:\d+:\d+/)
  assert.match(stackOf({ NODE_OPTIONS: '--enable-source-maps' }), /src\/cli\/main\.ts:\d+:\d+/)
})

function stackOf(settings: NodeJS.ProcessEnv): string {
  const print = 'data:text/javascript,console.log=()=>console.error(new Error("printed").stack)'
  const words = ['--import', print, join(root, 'scripts/run.ts'), '--version']
  const env = { ...process.env, ...settings }
  return spawnSync(process.execPath, words, { encoding: 'utf8', env }).stderr
}
