import assert from 'node:assert/strict'
import { it } from 'node:test'
import { outcomeOf } from '../testing/outcomes.ts'
import { program } from '../testing/requests.ts'

/** Rules that count values, on requests with any number of them, compared with running every rule. */

const made = program(`
  SecRule &REQUEST_HEADERS:X-A "@eq 0" "id:1,phase:1,pass,log"
  SecRule &REQUEST_HEADERS:X-A|&ARGS_GET "@gt 1" "id:2,phase:1,pass,log"
  SecRule &ARGS "@rx ^1.$" "id:3,phase:2,pass,log,t:length,t:none"
  SecRule &ARGS "!@within 1 2 3" "id:4,phase:2,pass,log,chain"
    SecRule &REQUEST_COOKIES "@eq 0"
  SecRule &ARGS "@eq 1" "id:5,phase:2,pass,log,multiMatch,t:none,t:length"
  SecRule &ARGS_POST "@ge 1" "id:6,phase:1,pass,log"
  SecRule &ARGS_POST "@ge 1" "id:7,phase:2,pass,log"
  SecRule &RESPONSE_HEADERS:X-A "@eq 0" "id:8,phase:3,pass,log"
  SecRule ARGS:a|&ARGS:a "@eq 1" "id:9,phase:2,pass,log"
  SecRule &ARGS:/^a/|&ARGS "@eq 2" "id:10,phase:5,pass,log"
  SecRule REQUEST_METHOD "@rx ^GET$" "id:12,phase:1,pass,log,chain"
    SecRule REQUEST_HEADERS:X-A "@rx ." "chain"
    SecRule &ARGS_GET "!@eq 3"
  SecRule REQUEST_METHOD "@rx ^P" "id:13,phase:2,pass,log,setvar:tx.a=+1,chain"
    SecRule &ARGS "@eq 3" "setvar:tx.b=1"
  SecRule TX:a "@eq 1" "id:14,phase:5,pass,log"
  SecAction "id:11,phase:1,pass,nolog,ctl:ruleRemoveTargetById=3;ARGS:a0"`)

it('counts of values match as in every rule run alone', () => {
  const matched = new Set<string>()
  for (const values of [0, 1, 2, 3, 10, 12, 15, 16, 17, 40]) {
    const pairs = Array.from({ length: values }, (_, i) => `a${i === 1 ? '' : i}=1`).join('&')
    for (const post of [false, true]) {
      const request = {
        method: post ? 'POST' : 'GET',
        target: post ? '/' : `/?${pairs}`,
        headers: [
          ['Content-Type', 'application/x-www-form-urlencoded'] as const,
          ...(values % 2 === 0 ? [['X-A', 'b'] as const] : []),
          ...(values > 9 ? [['Cookie', 'c=d'] as const] : []),
        ],
        body: post ? pairs : '',
      }
      const outcome = outcomeOf(made, request)
      assert.deepEqual(outcome, outcomeOf(made, request, { exact: true }), `${values} ${post}`)
      for (const match of outcome.matches) matched.add(JSON.parse(match)[0])
    }
  }
  assert.equal(matched.size, 12, [...matched].join())
})
