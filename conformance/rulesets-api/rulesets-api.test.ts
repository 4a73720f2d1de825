import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../src/api/testing/test-api.ts'
import { actionCases } from './cases/actions.ts'
import { authenticationCases } from './cases/authentication.ts'
import { clientCases } from './cases/clients.ts'
import { endpointCases } from './cases/endpoints.ts'
import { errorCases } from './cases/errors.ts'
import { mergeCases } from './cases/merge.ts'
import { objectCases } from './cases/objects.ts'
import { overrideCases } from './cases/overrides.ts'
import { skipCases } from './cases/skip.ts'
import { validationCases } from './cases/validation.ts'
import { runCase } from './run-case.ts'

/**
 * The known behaviour of Cloudflare's Rulesets API, case by case, from its documentation, its clients and their tests.
 * Names begin with the section of our description of it: 1 envelope, errors and credentials, 2 endpoints, 3 objects, 4
 * actions, 5 overrides, 6 phases, 7 the OWASP ruleset, 8 validation, 9 client dependencies.
 */
const cases = [
  ...errorCases,
  ...authenticationCases,
  ...endpointCases,
  ...mergeCases,
  ...objectCases,
  ...actionCases,
  ...skipCases,
  ...overrideCases,
  ...validationCases,
  ...clientCases,
]

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

for (const row of cases) test(row.name, () => runCase(api, row))

test('every case has a unique name', () => {
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length)
})
