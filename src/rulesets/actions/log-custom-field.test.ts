import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRule, replaceEntryPoint } from '../documents/documents.ts'
import { accepted, check, contextOf, general } from '../testing/documents.ts'
import { acceptParameters } from '../testing/parameters.ts'
import { logFieldsOf } from './log-custom-field.ts'

const logFields = 'http_log_custom_fields'

test('parameters of log_custom_field', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `h${at}` }))
  const rows: readonly (readonly [
    parameters: object | null,
    code: number,
    pointer: string,
    message: string | RegExp,
  ])[] = [
    [null, 20113, '/action_parameters', 'action parameters are required for the log_custom_field action'],
    [{}, 20113, '/action_parameters', 'action parameters are required for the log_custom_field action'],
    [
      { request_fields: [], cookie_fields: null },
      20214,
      '/action_parameters',
      /at least one of request_fields, .*, cookie_fields must name a field/,
    ],
    [
      { request_fields: [{ name: 'Accept' }] },
      20214,
      '/action_parameters/request_fields/0/name',
      general('Accept', 'name', 'header names must be in lower case'),
    ],
    [
      { response_fields: [{ name: 'a' }, { name: 'Server' }] },
      20214,
      '/action_parameters/response_fields/1/name',
      /lower case/,
    ],
    [
      { request_fields: [{ name: 'a b' }] },
      20214,
      '/action_parameters/request_fields/0/name',
      /not the name of a header/,
    ],
    [
      { request_fields: [{ name: '' }] },
      20202,
      '/action_parameters/request_fields/0/name',
      /cannot be blank/,
    ],
    [{ request_fields: [{}] }, 20202, '/action_parameters/request_fields/0/name', /cannot be blank/],
    [{ request_fields: ['accept'] }, 20203, '/action_parameters/request_fields/0', /an object/],
    [{ request_fields: 'accept' }, 20203, '/action_parameters/request_fields', /an array/],
    [
      { cookie_fields: [{ name: 'a=b' }] },
      20214,
      '/action_parameters/cookie_fields/0/name',
      /not the name of a cookie/,
    ],
    [
      { cookie_fields: [{ name: 'x'.repeat(257) }] },
      20214,
      '/action_parameters/cookie_fields/0/name',
      /longer than 256 bytes/,
    ],
    [
      { request_fields: [{ name: 'a', preserve_duplicates: false }] },
      20201,
      '/action_parameters/request_fields/0/preserve_duplicates',
      /unknown field/,
    ],
    [
      { response_fields: [{ name: 'a', preserve_duplicates: 1 }] },
      20203,
      '/action_parameters/response_fields/0/preserve_duplicates',
      /true or false/,
    ],
    [
      { transformed_request_fields: [{ name: 'a', preserve_duplicates: true }] },
      20201,
      '/action_parameters/transformed_request_fields/0/preserve_duplicates',
      /unknown field/,
    ],
    [
      { request_fields: [{ name: 'a' }], transformed_request_fields: [{ name: 'a' }] },
      20214,
      '',
      general('a', 'name', 'a request header is logged either before or after it is rewritten'),
    ],
    [
      { response_fields: [{ name: 'a' }], raw_response_fields: [{ name: 'b' }, { name: 'a' }] },
      20214,
      '',
      /'a' .* a response header/,
    ],
    [{ headers: [{ name: 'a' }] }, 20201, '/action_parameters/headers', /unknown field "headers"/],
    [
      { request_fields: names(21), cookie_fields: names(20) },
      20214,
      '',
      'exceeded the maximum number of custom fields in the zone: 41 out of 40',
    ],
  ]
  const body = (parameters: object | null) => ({
    rules: [{ action: 'log_custom_field', expression: 'true', action_parameters: parameters }],
  })
  const put = (given: unknown) => replaceEntryPoint(undefined, logFields, given, contextOf('zone'))
  for (const [parameters, code, pointer, message] of rows) {
    check([[body(parameters), code, pointer === '' ? '/rules' : `/rules/0${pointer}`, message]], put)
  }
  const full = {
    request_fields: names(20),
    response_fields: names(10),
    cookie_fields: [...names(9), { name: 'x'.repeat(256) }],
  }
  const current = accepted(put(body(full)))
  const more = { ...body({ cookie_fields: [{ name: 'AccountNumber' }] }).rules[0] }
  check([[more, 20214, '/action_parameters', /41 out of 40/]], given =>
    addRule(current, given, contextOf('zone')),
  )
  const conditional = { rules: [{ ...more, expression: 'ssl' }] }
  check(
    [
      [
        conditional,
        20214,
        '/rules/0/expression',
        general('ssl', 'expression', 'the expression of a log_custom_field rule must be true'),
      ],
    ],
    put,
  )
})

test('logged fields', () => {
  const parameters = [
    {
      request_fields: [{ name: 'content-type' }, { name: 'x-a' }],
      raw_response_fields: [{ name: 'content-type', preserve_duplicates: true }],
      response_fields: [{ name: 'server' }],
      cookie_fields: [{ name: 'Session' }],
    },
    {
      transformed_request_fields: [{ name: 'x-b' }],
      request_fields: [{ name: 'x-a' }],
      response_fields: [
        { name: 'via', preserve_duplicates: false },
        { name: 'server', preserve_duplicates: true },
      ],
    },
  ]
  const rules = acceptParameters({ phase: logFields, action: 'log_custom_field' }, ...parameters)
  assert.deepEqual(
    rules.map(({ actionParameters }) => actionParameters),
    parameters,
  )
  assert.deepEqual(logFieldsOf(rules), {
    request: ['content-type', 'x-a'],
    transformedRequest: ['x-b'],
    response: [
      { name: 'server', preserveDuplicates: true },
      { name: 'via', preserveDuplicates: false },
    ],
    rawResponse: [{ name: 'content-type', preserveDuplicates: true }],
    cookies: ['Session'],
  })
})
