import { test } from 'node:test'
import { replaceEntryPoint } from '../documents/documents.ts'
import { accepted, check, contextOf } from '../testing/documents.ts'

const phase = 'http_custom_errors'
const bodyOf = (parameters: object) => ({
  rules: [{ action: 'serve_error', expression: 'true', action_parameters: parameters }],
})

test('parameters of serve_error', () => {
  const text = { content: 'x', content_type: 'text/plain' }
  const rows: readonly (readonly [parameters: object, code: number, pointer: string, message: RegExp])[] = [
    [{ status_code: 500 }, 20203, '', /needs either content or asset_name/],
    [{ ...text, asset_name: 'down' }, 20203, '', /needs either content or asset_name/],
    [{ content: 'x' }, 20203, '/content_type', /content needs its type/],
    [{ ...text, content_type: 'image/png' }, 20203, '/content_type', /must be one of text\/html/],
    [{ ...text, content: 'é'.repeat(5121) }, 20203, '/content', /longer than 10240 bytes/],
    [{ ...text, status_code: 399 }, 20203, '/status_code', /from 400 to 599$/],
    [{ ...text, status_code: 600 }, 20203, '/status_code', /from 400 to 599$/],
    [{ asset_name: 'a-b' }, 20203, '/asset_name', /at most 200 letters, digits and underscores/],
  ]
  for (const [parameters, code, pointer, message] of rows) {
    check([[bodyOf(parameters), code, `/rules/0/action_parameters${pointer}`, message]], given =>
      replaceEntryPoint(undefined, phase, given, contextOf('zone')),
    )
  }
  for (const parameters of [text, { asset_name: 'absent', status_code: 503 }])
    accepted(replaceEntryPoint(undefined, phase, bodyOf(parameters), contextOf('zone')))
})
