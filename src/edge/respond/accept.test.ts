import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersJson } from './accept.ts'

const rows: readonly [accept: string | undefined, json: boolean][] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['application/json', true],
  ['application/problem+json', true],
  ['application/json, text/plain, */*', true],
  ['application/json;q=0.5, text/html', false],
  ['application/json, text/html;q=0.9', true],
  ['application/json, text/html', false],
  ['application/json;q=0', false],
]
for (const [accept, json] of rows) test(`Accept: ${accept}`, () => assert.equal(prefersJson(accept), json))
