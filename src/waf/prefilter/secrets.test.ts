import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeOf } from '../testing/outcomes.ts'
import { program } from '../testing/requests.ts'
import { Memo } from './memo.ts'

describe('values that are remembered from one request to the next', () => {
  it('exclude credentials and values that may hold some', test => {
    const remembered = new Set<string>()
    test.mock.method(Memo.prototype, 'set', (value: string) => void remembered.add(value))
    const variables =
      `REQUEST_HEADERS REQUEST_COOKIES ARGS ARGS_GET ARGS_POST REQUEST_BODY QUERY_STRING REQUEST_LINE
      REQUEST_URI REQUEST_URI_RAW XML:/* REQUEST_FILENAME ARGS_NAMES`.split(/\s+/)
    const made = program(
      variables
        .flatMap((variable, index) =>
          ['aa', 'bb', 'cc', 'dd'].map(
            (word, rule) => `SecRule ${variable} "@contains ${word}" "id:${index * 10 + rule + 1},phase:2"`,
          ),
        )
        .join('\n'),
    )
    outcomeOf(made, {
      target: '/S13?q=plain&password=S1&api_key=S2&csrf=S3&PIN=S4',
      headers: [
        ['Host', 'host.example'],
        ['Authorization', 'Bearer S5'],
        ['PROXY-Authorization', 'Basic S6'],
        ['X-Api-Key', 'S7'],
        ['X-Amz-Security-Token', 'S14'],
        ['Referer', 'http://a/?t=S15'],
        ['X-Id', '0123456789abcS16'],
        ['X-Other', 'other'],
        ['Cookie', 'theme=dark; PHPSESSID=S8; sid=S9; jwt=S10; connect.id=S17; id=0123456789abcS18'],
        ['Content-Type', 'application/x-www-form-urlencoded'],
      ],
      body: 'note=hello&user_token=S11&otp=S12&card=S19&id=0123456789abcS20',
    })
    assert.deepEqual(
      [...remembered].filter(value => /S\d/.test(value)),
      [],
    )
    const ordinary = ['plain', 'host.example', 'other', 'dark', 'hello', 'password', 'q']
    assert.deepEqual(
      ordinary.filter(value => !remembered.has(value)),
      [],
    )
  })

  it('have 256 bytes at most', test => {
    const remembered = new Set<number>()
    test.mock.method(Memo.prototype, 'set', (value: string) => void remembered.add(value.length))
    const made = program(
      [1, 2, 3, 4].map(id => `SecRule ARGS_GET "@contains x${id}" "id:${id},phase:1"`).join('\n'),
    )
    outcomeOf(made, {
      target: `/?${[255, 256, 257].map(length => `a=${'a+'.repeat(length).slice(0, length)}`).join('&')}`,
    })
    assert.deepEqual([...remembered].sort(), [255, 256])
  })
})
