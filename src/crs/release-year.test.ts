import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOldRelease, releaseYear } from './release-year.ts'

const head = (...lines: readonly string[]) =>
  ['# OWASP CRS ver.4.28.0', ...lines, '#', 'SecAction "id:1"'].join('\n')

test('a release is of the newest year that its rule files claim', () => {
  const trustwave = '# Copyright (c) 2006-2020 Trustwave and contributors. All rights reserved.'
  const project = (years: string) => `# Copyright (c) ${years} CRS project. All rights reserved.`
  for (const [texts, year] of [
    [[head(trustwave, project('2021-2026'))], 2026],
    [[head(trustwave), head(trustwave, project('2021-2022'))], 2022],
    [[head(project('2024'))], 2024],
    [['SecAction "id:1,msg:\'Copyright (c) 2021-2030 of a rule\'"'], undefined],
    [[], undefined],
  ] as const) {
    const files = texts.map((text, n) => ({ name: `rules/${n}.conf`, text }))
    assert.equal(releaseYear(files), year)
  }
  assert.equal(releaseYear([{ name: 'rules/words.data', text: project('2021-2026') }]), undefined)
})

test('a release of the year before last is old', () => {
  const now = Date.parse('2026-11-23T00:00:00Z')
  assert.deepEqual(
    [2026, 2025, 2024, undefined].map(year => isOldRelease(year, now)),
    [false, false, true, false],
  )
})
