import { test } from 'node:test'
import { replaceEntryPoint } from '../documents/documents.ts'
import { accepted, check, contextOf } from '../testing/documents.ts'

const custom = 'http_request_firewall_custom'
const rule = { action: 'block', expression: 'true' }

test('parameters of block', () => {
  const response = { status_code: 403, content: 'x', content_type: 'text/html' }
  const rows: readonly (readonly [parameters: object, code: number, pointer: string, message: RegExp])[] = [
    [{ answer: 1 }, 20201, '/answer', /unknown field "answer"/],
    [{ response: { ...response, x: 1 } }, 20201, '/response/x', /unknown field "x"/],
    [
      { response: { ...response, status_code: 399 } },
      20203,
      '/response/status_code',
      /^'399' .* from 400 to 499$/,
    ],
    [{ response: { ...response, status_code: 500 } }, 20203, '/response/status_code', /^'500'/],
    [{ response: { ...response, status_code: 403.5 } }, 20203, '/response/status_code', /an integer/],
    [{ response: { ...response, status_code: null } }, 20202, '/response/status_code', /cannot be blank/],
    [{ response: { ...response, content: '' } }, 20202, '/response/content', /cannot be blank/],
    [
      { response: { ...response, content: 'é'.repeat(1025) } },
      20203,
      '/response/content',
      /longer than 2048 bytes/,
    ],
    [
      { response: { ...response, content_type: 'image/png' } },
      20203,
      '/response/content_type',
      /must be one of text\/html/,
    ],
  ]
  for (const [parameters, code, pointer, message] of rows) {
    const body = { rules: [{ ...rule, action_parameters: parameters }] }
    check([[body, code, `/rules/0/action_parameters${pointer}`, message]], given =>
      replaceEntryPoint(undefined, custom, given, contextOf('zone')),
    )
  }
  for (const [status, content] of [
    [400, 'x'],
    [499, 'é'.repeat(1024)],
  ]) {
    const good = { response: { ...response, status_code: status, content } }
    accepted(
      replaceEntryPoint(
        undefined,
        custom,
        { rules: [{ ...rule, action_parameters: good }] },
        contextOf('zone'),
      ),
    )
  }
})
