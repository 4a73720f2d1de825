import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { prepareDashboard } from './dashboard.ts'

async function checkout(t: TestContext): Promise<{ readonly packaged: string; readonly sources: string }> {
  const root = await mkdtemp(join(tmpdir(), 'sluice-page-'))
  t.after(() => rm(root, { recursive: true }))
  const sources = join(root, 'dashboard')
  await mkdir(join(sources, 'dist'), { recursive: true })
  return { packaged: join(root, 'packaged'), sources }
}

test('the page of the package is used unchanged', async t => {
  const folders = await checkout(t)
  await mkdir(folders.packaged)
  assert.equal(await prepareDashboard(assert.fail, folders), folders.packaged)
})

test('without the development packages, the reason is reported and the start continues', async t => {
  const rows: readonly (readonly [name: string, file: string, text: string, reason: RegExp])[] = [
    ['nothing can be read to tell whether it is built', 'dist/sources.sha256', 'some', /package-lock\.json/],
    ['its sources are incomplete', 'build.ts', 'throw new Error("no sources")', /no sources/],
    ['its packages are not installed', 'build.ts', "import 'vite'", /`npm ci` installs them/],
  ]
  for (const [name, file, text, reason] of rows) {
    const folders = await checkout(t)
    await writeFile(join(folders.sources, file), text)
    const lines: string[] = []
    assert.equal(await prepareDashboard(line => void lines.push(line), folders), undefined, name)
    assert.match(lines.at(-1)!, /^the dashboard cannot be built, so the API runs without it: /, name)
    assert.match(lines.at(-1)!, reason, name)
  }
})
