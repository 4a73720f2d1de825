import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { crsForTests, obtainedCrs, skipBeforeCrs4 } from './crs-for-tests.ts'

test('tests use the named release, else the one beside the checkout, else the one that npm test obtained', t => {
  const home = mkdtempSync(join(tmpdir(), 'sluice-crs-for-tests-'))
  const named = process.env['SLUICE_TEST_CRS']
  t.after(() => {
    if (named !== undefined) process.env['SLUICE_TEST_CRS'] = named
    rmSync(home, { recursive: true })
  })
  const root = join(home, 'checkout')
  delete process.env['SLUICE_TEST_CRS']
  assert.equal(crsForTests(root), obtainedCrs(root))
  const beside = join(home, 'shared', 'crs', '4.28.0')
  mkdirSync(beside, { recursive: true })
  assert.equal(crsForTests(root), beside)
  process.env['SLUICE_TEST_CRS'] = '/elsewhere'
  assert.equal(crsForTests(root), '/elsewhere')
  delete process.env['SLUICE_TEST_CRS']
})

test('tests of CRS 4 state why they are skipped', t => {
  const release = mkdtempSync(join(tmpdir(), 'sluice-crs-for-tests-'))
  t.after(() => rmSync(release, { recursive: true }))
  assert.match(String(skipBeforeCrs4(join(release, 'absent'))), /none was found/)
  assert.match(String(skipBeforeCrs4(release)), /needs CRS 4/)
  mkdirSync(join(release, 'rules'))
  writeFileSync(join(release, 'rules', 'REQUEST-999-COMMON-EXCEPTIONS-AFTER.conf'), '')
  assert.equal(skipBeforeCrs4(release), false)
})
